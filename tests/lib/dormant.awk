# dormant.awk NM OBJDUMP - of an aarch64 library's exported functions (nm -D) those that do not branch on within `most` instructions,
# or that call or store before they do, each with what it does instead: read from its machine code (objdump -d --no-show-raw-insn).
BEGIN { FS = "\t" }
NR == FNR { split($0, of_nm, " "); sub(/^0+/, "", of_nm[1]); if (of_nm[2] == "T") name[of_nm[1]] = of_nm[3]; next }
{ address = $1; gsub(/[ :]/, "", address) }
address in name { of = name[address]; n = 0 }
of == "" || NF < 2 { next }
{ n++; instruction = $2; sub(/ .*/, "", instruction) }
instruction == "br" { if (n > most) print of, n, "instructions"; of = "" }
instruction ~ /^(st|bl|ld[^r]|ldxr|swp|cas|b$|ret|svc)/ { print of, $2, $3; of = "" }
