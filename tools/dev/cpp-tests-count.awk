# Reads what Catch printed and prints "passed failed skipped" in test cases. A binary that crashed
# (status != 0 without a summary) or ran nothing counts as one failure.

/^All tests passed/ { passed = $(NF - 2) }
/^test cases:/ {
  for (i = 2; i <= NF; i++) {
    if ($i ~ /^passed/) passed = $(i - 1)
    if ($i ~ /^failed/) failed = $(i - 1)
  }
}
END {
  if (failed + 0 == 0 && (status != 0 || passed + 0 == 0)) failed = 1
  print passed + 0, failed + 0, 0
}
