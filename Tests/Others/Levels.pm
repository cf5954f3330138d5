# What the levels of the suite allow, from levels.json, and the loop that every adapter in Perl runs.
package Levels;
use strict;
use warnings;
use File::Basename qw(dirname);
use JSON::PP;

my @names = qw(P0 P1 P2 P3);
my $json = JSON::PP->new->canonical->utf8->allow_nonref;

# The level that the command names. Ends with exit code 64 when the program cannot be set to it.
sub asked {
    my @possible = @_ ? @_ : @names;
    my $name = $ARGV[-1] // '';
    unless (grep { $_ eq $name } @possible) {
        print STDERR "it can be set to @possible, not to $name\n";
        exit 64;
    }
    open my $file, '<', dirname(__FILE__) . '/levels.json' or die $!;
    my $lists = $json->decode(do { local $/; <$file> });
    my $level = {name => $name, tags => [], attributes => {}};
    for my $lower (grep { $_ gt 'P0' && $_ le $name } @names) {
        push @{$level->{tags}}, split ' ', $lists->{$lower}{tags};
        my $attributes = $lists->{$lower}{attributes};
        push @{$level->{attributes}{$_}}, split ' ', $attributes->{$_} for keys %$attributes;
    }
    return $level;
}

# The names of the attributes that an element may have.
sub attributes_of {
    my ($level, $tag) = @_;
    return @{$level->{attributes}{'*'} // []}, @{$level->{attributes}{$tag} // []};
}

# Gives each fragment to `clean`: a line of JSON in, a line out. What dies is an error of that fragment alone.
sub answer {
    my ($clean) = @_;
    $| = 1;
    while (my $line = <STDIN>) {
        my $fragment = eval { $json->decode($line) } // {};
        my $html = eval { $clean->($fragment->{html}) };
        my %reply = defined $html ? (html => $html) : (error => $@ || 'no output');
        print $json->encode({id => $fragment->{id}, %reply}), "\n";
    }
}

1;
