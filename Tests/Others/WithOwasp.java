import java.util.List;
import org.owasp.html.HtmlPolicyBuilder;
import org.owasp.html.PolicyFactory;
import org.owasp.html.Sanitizers;

/** OWASP Java HTML Sanitizer, by its prepackaged policies; P2 has what is lacking in them, P3 styles besides. */
final class WithOwasp {
    public static void main(String[] arguments) throws Exception {
        Levels level = new Levels(arguments, List.of("P0", "P1", "P2", "P3"));
        PolicyFactory policy = switch (level.name) {
            case "P0" -> new HtmlPolicyBuilder().toFactory();
            case "P1" -> Sanitizers.FORMATTING.and(Sanitizers.BLOCKS).and(Sanitizers.LINKS);
            default -> wide(new Levels(new String[] {"P2"}, List.of("P2")), level.name.equals("P3"));
        };
        Levels.answer(policy::sanitize);
    }

    private static PolicyFactory wide(Levels level, boolean styled) {
        HtmlPolicyBuilder builder = new HtmlPolicyBuilder().allowElements(level.tags.toArray(new String[0])).allowStandardUrlProtocols();
        level.attributes.forEach((tag, names) -> {
            String[] allowed = names.toArray(new String[0]);
            if (tag.equals("*")) builder.allowAttributes(allowed).globally();
            else builder.allowAttributes(allowed).onElements(tag);
        });
        if (styled) builder.allowStyling();
        return builder.toFactory();
    }
}
