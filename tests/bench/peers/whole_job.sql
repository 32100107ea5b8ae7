-- The contract `consistency` over a capture in native records, as sets (DuckDB): how many steps came
-- to each state. $capture is the file.
--
-- A version is applied once all versions below it were and it has arrived itself: the running maximum
-- of the first arrivals, up to the first gap. Whoever arrived first for a version holds it. What a
-- delivery comes to then follows from how far its aggregate was just before it.
WITH delivered AS (
  SELECT row_number() OVER () AS record, event.id AS id, event.source AS source,
         event.type AS type, event.subject AS subject, event.specversion AS specversion,
         event.data.schemaVersion AS schema_version, event.data.orderId AS aggregate,
         event.data.orderVersion AS version_json, event.data.status AS status
  FROM read_ndjson($capture, columns = {event: 'STRUCT(
    id VARCHAR, source VARCHAR, type VARCHAR, subject VARCHAR, specversion VARCHAR,
    data STRUCT(schemaVersion JSON, orderId VARCHAR, orderVersion JSON, status VARCHAR))'})
),
judged AS (
  SELECT *, TRY_CAST(version_json AS UBIGINT) AS version,
    CASE
      WHEN coalesce(id, '') = '' OR coalesce(source, '') = '' OR coalesce(type, '') = ''
        OR coalesce(subject, '') = '' OR specversion IS DISTINCT FROM '1.0'
        OR NOT starts_with(source, 'urn:checkout:')
        OR NOT regexp_full_match(coalesce(schema_version::VARCHAR, ''), '-?[0-9]+')
        THEN 'rejected'
      WHEN schema_version::VARCHAR NOT IN ('1', '2') THEN 'contract-update-required'
      WHEN type <> 'com.example.order.status.changed' THEN 'contract-update-required'
      WHEN coalesce(aggregate, '') = ''
        OR NOT regexp_full_match(coalesce(version_json::VARCHAR, ''), '[1-9][0-9]*')
        THEN 'rejected'
      WHEN status IS NULL OR status NOT IN ('accepted', 'paid', 'reserved', 'packed', 'shipped',
        'delivered', 'cancelled') THEN 'contract-update-required'
    END AS refused
  FROM delivered
),
good AS (SELECT record, id, source, aggregate, version FROM judged WHERE refused IS NULL),
first_arrivals AS (
  SELECT source, aggregate, version, min(record) AS record, arg_min(id, record) AS holder
  FROM good GROUP BY ALL
),
applied AS (
  SELECT * FROM (
    SELECT source, aggregate, version, holder,
      max(record) OVER upwards AS applied_at, row_number() OVER upwards = version AS is_whole
    FROM first_arrivals
    WINDOW upwards AS (PARTITION BY source, aggregate ORDER BY version)
  ) WHERE is_whole
),
reached AS (
  SELECT source, aggregate, applied_at, max(version) AS version FROM applied GROUP BY ALL
),
stood AS (
  SELECT good.*, coalesce(reached.version, 0) AS current
  FROM good ASOF LEFT JOIN reached
    ON good.source = reached.source AND good.aggregate = reached.aggregate
    AND good.record > reached.applied_at
),
decided AS (
  SELECT stood.*, applied.applied_at, applied.holder,
    CASE
      WHEN receipt.applied_at < stood.record THEN 'duplicate-or-replay-suppressed'
      WHEN stood.version > current + 1 THEN 'deferred-version-gap'
      WHEN stood.version = current + 1 THEN 'event-applied'
      WHEN stood.version = current THEN 'same-version-event-rejected'
      ELSE 'stale-event-ignored'
    END AS state
  FROM stood
  LEFT JOIN applied USING (source, aggregate, version)
  LEFT JOIN applied AS receipt
    ON receipt.source = stood.source AND receipt.holder = stood.id
),
replayed AS (
  SELECT CASE WHEN id = any_value(holder) THEN 'event-applied'
    ELSE 'same-version-event-rejected' END AS state
  FROM decided
  WHERE state = 'deferred-version-gap' AND applied_at IS NOT NULL
  GROUP BY source, aggregate, version, id
),
steps AS (
  SELECT refused AS state FROM judged WHERE refused IS NOT NULL
  UNION ALL SELECT state FROM decided
  UNION ALL SELECT state FROM replayed
)
SELECT state, count(*) FROM steps GROUP BY state ORDER BY state;
