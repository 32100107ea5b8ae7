# Dedup, versions, deferral and replay over what `whole_job.jq` prints; a line a state: the count, a
# tab, the state.
function judge(key, aggregate, version) {
  if (version == current[aggregate] + 1) {
    current[aggregate] = version
    receipts[key] = 1
    return "event-applied"
  }
  return version == current[aggregate] ? "same-version-event-rejected" : "stale-event-ignored"
}

BEGIN { FS = "\t" }

$1 != "-" { states[$1]++; next }

{
  key = $2 SUBSEP $3
  aggregate = $2 SUBSEP $4
  version = $5 + 0
  if (key in receipts) { states["duplicate-or-replay-suppressed"]++; next }
  if (version > current[aggregate] + 1) {
    states["deferred-version-gap"]++
    place = aggregate SUBSEP version
    if (!((place, key) in held)) {
      held[place, key] = 1
      waiting[place, ++count[place]] = key
    }
    next
  }
  state = judge(key, aggregate, version)
  states[state]++
  while (state == "event-applied") {
    next_version = current[aggregate] + 1
    place = aggregate SUBSEP next_version
    if (!(place in count)) break
    for (number = 1; number <= count[place]; number++) {
      states[judge(waiting[place, number], aggregate, next_version)]++
      delete held[place, waiting[place, number]]
      delete waiting[place, number]
    }
    delete count[place]
  }
}

END { for (state in states) printf "%d\t%s\n", states[state], state }
