# Tamis with the rules of a level: a line of JSON in, a line out. TAMIS names the command.
case $1 in
  P0) rules=text ;;
  P1) rules=strict ;;
  P2) rules=reading ;;
  P3) rules=Fixtures/Suite/P3.yaml ;;
  *) echo "no level $1" >&2; exit 64 ;;
esac
exec "${TAMIS:-.build/release/tamis}" sanitize --jsonl --rules "$rules"
