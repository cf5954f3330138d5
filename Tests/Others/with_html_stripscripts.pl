# HTML::StripScripts::Parser, by its contexts: no tags, inline without styles, and flow with links, pictures and styles.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use HTML::StripScripts::Parser;
use Levels;

my $level = Levels::asked('P0', 'P1', 'P3');
my %context = (P0 => 'NoTags', P1 => 'Inline', P3 => 'Flow');
my %settings = (
    Context => $context{$level->{name}}, AllowHref => 1, AllowMailto => 1, AllowRelURL => 1, AllowSrc => $level->{name} eq 'P3',
    Rules => $level->{name} eq 'P3' ? {} : {'*' => {style => 0}});
Levels::answer(sub { HTML::StripScripts::Parser->new(\%settings)->filter_html($_[0]) });
