#!/usr/bin/env python3
"""Stands in for the process that `tamis --guard` starts (TAMIS_WORKER), with faults at lines that are marked.

It is run with the guard's arguments and hands each line to the tamis that TAMIS_REAL names, but at a line with

    zz-die-zz     kills itself, as a crash in a library does
    zz-hang-zz    says nothing any more
    zz-grow-zz    takes more and more memory, until somebody ends it
    zz-chat-zz    ends in the middle of an answer
    zz-slow-zz    takes a twentieth of a second
"""
import os
import signal
import subprocess
import sys
import time


def main():
    with subprocess.Popen([os.environ["TAMIS_REAL"], *sys.argv[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as tamis:
        source, target = sys.stdin.buffer, sys.stdout.buffer
        while line := source.readline():
            if b"zz-die-zz" in line:
                tamis.kill()
                os.kill(os.getpid(), signal.SIGSEGV)
            if b"zz-hang-zz" in line:
                time.sleep(600)
            if b"zz-grow-zz" in line:
                grow()
            if b"zz-slow-zz" in line:
                time.sleep(0.05)
            tamis.stdin.write(line)
            tamis.stdin.flush()
            answer = tamis.stdout.readline()
            if b"zz-chat-zz" in line:
                target.write(answer[:len(answer) // 2])
                target.flush()
                tamis.kill()
                sys.exit(1)
            target.write(answer)
            target.flush()


def grow():
    held = []
    while True:
        held.append(bytearray(b"x") * (16 << 20))
        time.sleep(0.02)


if __name__ == "__main__":
    main()
