# Sanitizers for tests, by name: programs.sh NAME reads lines of JSON and answers each, if it does.
# Only what every system has: sh and sed. The input's "id" stays, but where a line says otherwise.
escape='s/&/\&amp;/g; s/</\&lt;/g'
case $1 in
  all) cat ;;                                     # lets everything through
  none) sed "$escape" ;;                          # shows all markup as text
  again) sed 's/"html":"/"html":"+/' ;;           # adds something each time
  words) sed 's/secret//g' ;;                     # loses a word
  nameless) sed 's/"id":[0-9]*,//' ;;             # does not say what it answers, and hands on at its end only
  squares)                                        # writes the square of what it reads
    while IFS= read -r line; do
      body=${line#*\"html\":\"}; body=${body%\"\}}; html=$body; n=$((${#line} / 4000))
      while [ $n -gt 0 ]; do html=$html$body; n=$((n - 1)); done
      printf '%s,"html":"%s"}\n' "${line%%,*}" "$html"
    done ;;
  refuses) sed 's/"html":.*bad.*/"error":"I will not"}/' ;;
  fails)                                          # dies, hangs, says nonsense, too much or too little where the input says so
    while IFS= read -r line; do
      case $line in
        *DIE*) echo 'it hurts' >&2; exit 3 ;;
        *KILL*) kill -KILL $$ ;;
        *HANG*) sleep 60 ;;
        *NONSENSE*) echo 'hello' ;;
        *NOTHING*) ;;
        *OTHER*) echo '{"id":77777,"html":""}' ;;
        *TWICE*) printf '%s\n' "$line" "$line" ;;
        *EMPTY*) echo '{}' ;;
        *) printf '%s\n' "$line" ;;
      esac
    done ;;
  blames)                                         # dies before it hands on anything: only asking again tells by what
    all=$(sed 's/"id":[0-9]*,//')
    case $all in *DIE*) exit 3 ;; esac
    printf '%s\n' "$all" ;;
  never) sleep 60 ;;
  gone) no-such-program ;;
esac
