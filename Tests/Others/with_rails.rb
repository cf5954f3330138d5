# rails-html-sanitizer: FullSanitizer, then SafeListSanitizer with its own list at P2, with other lists at P1 and P3.
require_relative "levels"
require "rails-html-sanitizer"

level = asked
full, safe = Rails::Html::FullSanitizer.new, Rails::Html::SafeListSanitizer.new
case level.name
when "P0" then answer { |html| full.sanitize(html) }
when "P2" then answer { |html| safe.sanitize(html) }
else answer { |html| safe.sanitize(html, tags: level.tags, attributes: level.attribute_names) }
end
