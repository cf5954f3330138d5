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
# What makes a new Debian.
FRESH_PACKAGES := debootstrap git
BREW_PACKAGES := curl libmicrohttpd libxml2 tidy-html5 libidn2 nettle xxhash libunistring uchardet zlib zstd re2 cmark-gfm pkgconf

.PHONY: help site test api install install-files man docs lint bench conformance same test-debug test-threads worker check-fresh check-versions fuzz setup setup-python setup-fresh clean

help:
	@sed -n 's/^## //p' $(MAKEFILE_LIST)
	@! command -v python3 >/dev/null || python3 Tests/check.py --list

## make site        build the release tool and turn Fixtures/Feeds into site/
site: setup
	$(SWIFT) build -c release --product tamis $(SWIFT_FLAGS)
	.build/release/tamis build Fixtures/Feeds --output site --title "Tamis" --reproducible

## make test        run all tests, as the release is compiled: they end in a quarter of the time, and share its build
test: setup
	$(SWIFT) build -c release --build-tests $(SWIFT_FLAGS)
	$(SWIFT) test -c release --skip-build

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

## make api         write the lists of public declarations and of codes, docs/api.txt and docs/codes.txt, which tests compare
api:
	UPDATE_API=1 $(SWIFT) test -c release --filter 'PublicAPITests|StabilityTests' $(SWIFT_FLAGS)

## make lint        check the format of the sources
lint:
	$(SWIFT) format lint --strict --recursive Sources Tests Package.swift

## make check-fresh  do the README's two commands in new Debian 12 and 13 systems, as root and as a user; FRESH_FLAGS='--suite bookworm --as user' for one
check-fresh: setup-fresh
	$(SUDO) env "PATH=$$PATH" $(if $(CI),CI=$(CI)) Tests/Robustness/fresh.sh $(FRESH_FLAGS)

## make check-versions  see that the Swift packages are those that the release is built and tested with, .ci/versions.txt
check-versions:
	$(SWIFT) package resolve
	.ci/versions

# Each of these is a row of Tests/check.py, which installs what it needs, builds the command and runs its programs.
RUN_CHECK = @SWIFT="$(SWIFT)" SWIFT_FLAGS="$(SWIFT_FLAGS)" NO_SETUP="$(NO_SETUP)" python3 Tests/check.py $@
check-%: setup setup-python
	$(RUN_CHECK)
bench-%: setup setup-python
	$(RUN_CHECK)
bench conformance same test-debug test-threads worker: setup setup-python
	$(RUN_CHECK)

setup-python:
	@$(call install,python3 python3-venv)

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

setup-fresh:
	@$(call install,$(FRESH_PACKAGES))

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

include Packaging/release.mk
