# What the levels of the suite allow, from levels.json, and the loop that every adapter in Ruby runs.
require "json"
require "set"

NAMES = %w[P0 P1 P2 P3].freeze
Level = Struct.new(:name, :tags, :attributes, :schemes) do
  # The names of all attributes, for programs that do not ask on which element one stands.
  def attribute_names = attributes.values.flatten.uniq
end

# The level that the command names. Ends with exit code 64 when the program cannot be set to it.
def asked(*possible)
  possible = NAMES if possible.empty?
  name = ARGV.last
  unless possible.include?(name)
    warn "it can be set to #{possible.join(", ")}, not to #{name}"
    exit 64
  end
  lists = JSON.parse(File.read(File.join(__dir__, "levels.json")))
  level = Level.new(name, [], {}, [])
  NAMES[1..NAMES.index(name)].each do |lower|
    level.tags += lists[lower]["tags"].split
    level.schemes += lists[lower].fetch("schemes", "").split
    lists[lower]["attributes"].each { |tag, names| (level.attributes[tag] ||= []).concat(names.split) }
  end
  level
end

# Gives each fragment to the block: a line of JSON in, a line out. What it raises is an error of that fragment alone.
def answer
  $stdout.sync = true
  $stdin.each_line do |line|
    id = nil
    reply = begin
      fragment = JSON.parse(line)
      id = fragment["id"]
      JSON.generate({id: id, html: yield(fragment["html"])})
    rescue StandardError, SystemStackError => error
      JSON.generate({id: id, error: "#{error.class}: #{error.message}".scrub})
    end
    puts reply
  end
end
