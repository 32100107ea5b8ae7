# What of each record decides, a line a record, for `whole_job.awk`: a verdict on the record alone, or
# `-`; then source, id, aggregate and version.
def text: type == "string" and . != "";
def verdict:
  if (.id | text) and (.source | text) and (.type | text) and (.subject | text)
    and .specversion == "1.0" and (.source | startswith("urn:checkout:"))
    and (.data.schemaVersion | type == "number" and . == floor)
  then
    if .data.schemaVersion != 1 and .data.schemaVersion != 2
      or .type != "com.example.order.status.changed" then "contract-update-required"
    elif (.data.orderId | text | not)
      or (.data.orderVersion | type != "number" or . != floor or . < 1) then "rejected"
    elif .data.status | IN("accepted", "paid", "reserved", "packed", "shipped", "delivered", "cancelled")
      then "-" else "contract-update-required" end
  else "rejected" end;
.event | [verdict, .source, .id, .data.orderId, .data.orderVersion] | @tsv
