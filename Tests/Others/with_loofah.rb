# Loofah: its one list by the scrubber `strip`, or the text.
require_relative "levels"
require "loofah"

if asked("P0", "P3").name == "P0"
  answer { |html| Loofah.fragment(html).text }
else
  answer { |html| Loofah.fragment(html).scrub!(:strip).to_s }
end
