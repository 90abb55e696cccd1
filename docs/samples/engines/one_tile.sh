#!/bin/sh
# An engine that shuts one tile where one fits, and else the first two that do.
while read -r word rest; do
  case "$word $rest" in
    hello*) echo "hello 1 One tile" ;;
    position*) board=${rest%% ;*}; board=" ${board#*\}} "; dice=${rest##*; } ;;
    go*dice=*) echo "best dice 2" ;;
    go*)
      total=0
      while [ -n "$dice" ]; do total=$((total + ${dice%"${dice#?}"})); dice=${dice#?}; done
      best=
      for low in 0 1 2 3 4; do
        high=$((total - low))
        case $board in *" $high "*) ;; *) continue ;; esac
        [ $low -eq 0 ] && { best=$high; break; }
        case $board in *" $low "*) [ $low -ne $high ] && { best=$low$high; break; } ;; esac
      done
      [ -n "$best" ] || for a in 1 2 3 4 5 6 7 8 9; do for b in 1 2 3 4 5 6 7 8 9; do
        c=$((total - a - b))
        [ $a -lt $b ] && [ $b -lt $c ] || continue
        case $board in *" $a "*" $b "*" $c "*) best=$a$b$c ;; esac
      done; done
      [ -n "$best" ] || best=1236
      echo "best $best" ;;
    quit*) exit ;;
  esac
done
