import java.util.List;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.safety.Safelist;

/** jsoup, by its presets; P2 has what is lacking in `relaxed`. It does not look into styles. */
final class WithJsoup {
    public static void main(String[] arguments) throws Exception {
        Levels level = new Levels(arguments, List.of("P0", "P1", "P2"));
        Safelist list = switch (level.name) {
            case "P0" -> Safelist.none();
            case "P1" -> Safelist.basic();
            default -> relaxed(level);
        };
        Levels.answer(html -> Jsoup.clean(html, "", list.preserveRelativeLinks(true), new Document.OutputSettings().prettyPrint(false)));
    }

    private static Safelist relaxed(Levels level) {
        Safelist list = Safelist.relaxed().addTags(level.tags.toArray(new String[0]));
        level.attributes.forEach((tag, names) -> list.addAttributes(tag.equals("*") ? ":all" : tag, names.toArray(new String[0])));
        for (String tag : List.of("audio", "source", "track", "video")) list.addProtocols(tag, "src", "http", "https");
        return list.addProtocols("video", "poster", "http", "https");
    }
}
