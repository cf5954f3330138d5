# Sanitize, by its presets. RELAXED has style attributes and style elements, which it looks into: at P2 it is without them.
require_relative "levels"
require "sanitize"

settings = case asked.name
when "P0" then {}
when "P1" then Sanitize::Config::BASIC
when "P2"
  relaxed = Sanitize::Config::RELAXED
  Sanitize::Config.merge(relaxed,
    elements: relaxed[:elements] - ["style"],
    attributes: relaxed[:attributes].transform_values { |names| names - ["style"] })
else Sanitize::Config::RELAXED
end
answer { |html| Sanitize.fragment(html, settings) }
