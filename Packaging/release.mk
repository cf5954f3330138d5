# What is released: packages, archives and their checks. The program is built under one path wherever the sources are, so it is
# the same program with the same compiler and libraries.

# The version has one place, its day another.
VERSION := $(shell sed -n 's/.*static let current = "\(.*\)"/\1/p' Sources/Tamis/Tamis.swift)
RELEASE_DATE := $(shell sed -n 's/^\#\# \[$(VERSION)\] - //p' CHANGELOG.md)
# What dpkg, tar and the list of parts take as the time. No other target has it: tamis and its tests would take it as theirs.
deb dist: export SOURCE_DATE_EPOCH ?= $(shell date -u -d '$(RELEASE_DATE)' +%s 2>/dev/null)

DIST := .build/dist
NAME := tamis-$(VERSION)-linux-$(shell uname -m)

# The Debian package is for the system that builds it, whose libraries it asks for. A package of Debian's own, VERSION-1, is newer.
SYSTEM := $(shell . /etc/os-release 2>/dev/null && if [ "$$ID" = debian ]; then echo deb$$VERSION_ID; else echo $$ID$$VERSION_ID; fi)
DEB_VERSION := $(VERSION)-0tamis1+$(SYSTEM)u1
DEB_DISTRIBUTION := $(shell . /etc/os-release 2>/dev/null && echo $${VERSION_CODENAME:-unstable})

# What Debian asks of programs that read what strangers wrote. Swift's own code checks bounds by itself; these are for the parts in C and C++,
# and for what the loader leaves writable. Nothing is to be looked for beside the program.
ifeq ($(shell uname),Linux)
  HARDENING := $(foreach each,-D_FORTIFY_SOURCE=2 -fstack-protector-strong,-Xcc $(each) -Xcxx $(each)) -Xlinker -z -Xlinker now --disable-local-rpath
endif

DEB_PACKAGES := debhelper dpkg-dev fakeroot lintian

.PHONY: deb dist dist-build dist-clean check-reproducible check-release check-workflows setup-deb setup-dist setup-lint

## make deb         build a Debian package for this system: .build/deb/tamis_VERSION-0tamis1+deb12u1_ARCH.deb, read by lintian
deb: setup setup-deb dist-build
	rm -rf .build/deb && mkdir -p .build/deb/tamis
	cp -R Packaging/debian .build/deb/tamis/debian
	printf 'tamis (%s) %s; urgency=medium\n\n  * Release %s; the changes are in changelog.gz.\n\n -- %s  %s\n' '$(DEB_VERSION)' '$(DEB_DISTRIBUTION)' '$(VERSION)' \
	  "$$(sed -n 's/^Maintainer: //p' Packaging/debian/control)" "$$(date -u -R -d @$(SOURCE_DATE_EPOCH))" > .build/deb/tamis/debian/changelog
	cd .build/deb/tamis && DEB_BUILD_OPTIONS=noautodbgsym TOP=$(CURDIR) BINARY=$(CURDIR)/$(DIST)/release/tamis dpkg-buildpackage --build=binary --no-sign --no-check-builddeps
	lintian --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs .build/deb/*.changes
	@ls .build/deb/*.deb

## make dist        write the archives of a release, with their checksums, into .build/release-files
dist: setup setup-dist dist-build
	sh Packaging/dist.sh $(DIST)/release/tamis $(VERSION) $(NAME) .build/release-files

dist-build: setup
	sh Packaging/same_folder.sh $(SWIFT) build -c release --product tamis --scratch-path $(DIST) -debug-info-format none $(HARDENING) $(SWIFT_FLAGS)

# Removes what dist-build and man have made; what SwiftPM has fetched stays.
dist-clean:
	rm -rf .build/man .build/manual
	! test -d $(DIST) || find $(DIST) -mindepth 1 -maxdepth 1 ! -name checkouts ! -name repositories ! -name workspace-state.json -exec rm -rf {} +

## make check-reproducible  build the release twice, in this folder and in a copy of the last commit, and compare
check-reproducible: dist deb
	rm -rf .build/again && git clone -q . .build/again
	$(MAKE) -C .build/again dist deb
	cd .build/release-files && sha256sum --strict --check $(CURDIR)/.build/again/.build/release-files/SHA256SUMS
	cmp .build/deb/*.deb .build/again/.build/deb/*.deb
	@echo "two builds, in $(CURDIR) and $(CURDIR)/.build/again: the same bytes"

## make check-release  install the package and the archive in empty Debian systems without a toolchain, and build a planet; as root
check-release: dist deb
	Packaging/check_release.sh .build/release-files .build/deb

## make check-workflows  have the workflows, the action, the image and the shell scripts read by linters
check-workflows: setup-lint
	.build/check/bin/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml docs/recipes/github-pages.yml
	.build/check/bin/check-jsonschema --builtin-schema vendor.github-actions action.yml
	.build/check/bin/check-jsonschema --builtin-schema vendor.github-issue-forms .github/ISSUE_TEMPLATE/report.yml .github/ISSUE_TEMPLATE/wish.yml
	.build/check/bin/zizmor --offline --no-progress .github action.yml docs/recipes/github-pages.yml
	.build/check/bin/hadolint Packaging/Containerfile
	shellcheck Packaging/*.sh

setup-deb:
	@$(call install,$(DEB_PACKAGES))

# What releases and the linters of workflows need is named in Tests/check.py.
setup-dist: setup-python
	@NO_SETUP="$(NO_SETUP)" python3 Tests/check.py --setup release

setup-lint: setup-python
	@test -x .build/check/bin/zizmor || NO_SETUP="$(NO_SETUP)" python3 Tests/check.py --setup workflows
