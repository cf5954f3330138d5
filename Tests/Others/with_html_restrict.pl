# HTML::Restrict: lists of names; it has a list of URL schemes of its own for href and src. It does not look into styles.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use HTML::Restrict;
use Levels;

my $level = Levels::asked('P0', 'P1', 'P2');
my %rules = map { $_ => [Levels::attributes_of($level, $_)] } @{$level->{tags}};
my $restrict = HTML::Restrict->new(rules => \%rules, uri_schemes => [undef, 'http', 'https', 'mailto']);
Levels::answer(sub { $restrict->process($_[0]) // '' });
