import com.google.gson.Gson;
import com.google.gson.JsonObject;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/** What the levels of the suite allow, from levels.json, and the loop that every adapter in Java runs. */
final class Levels {
    private static final List<String> NAMES = List.of("P0", "P1", "P2", "P3");
    final String name;
    final Set<String> tags = new TreeSet<>();
    final Set<String> schemes = new TreeSet<>();
    final Map<String, Set<String>> attributes = new TreeMap<>();

    /** The level that the command names. Ends with exit code 64 when the program cannot be set to it. */
    Levels(String[] arguments, List<String> possible) throws Exception {
        name = arguments[arguments.length - 1];
        if (!possible.contains(name)) {
            System.err.println("it can be set to " + String.join(", ", possible) + ", not to " + name);
            System.exit(64);
        }
        JsonObject lists = new Gson().fromJson(Files.readString(Path.of("Tests/Others/levels.json")), JsonObject.class);
        for (String lower : NAMES.subList(1, NAMES.indexOf(name) + 1)) {
            JsonObject list = lists.getAsJsonObject(lower);
            tags.addAll(words(list.get("tags").getAsString()));
            if (list.has("schemes")) schemes.addAll(words(list.get("schemes").getAsString()));
            for (var entry : list.getAsJsonObject("attributes").entrySet()) {
                attributes.computeIfAbsent(entry.getKey(), tag -> new TreeSet<>()).addAll(words(entry.getValue().getAsString()));
            }
        }
    }

    private static List<String> words(String text) {
        return Arrays.asList(text.split(" "));
    }

    /** Gives each fragment to `clean`: a line of JSON in, a line out. What it throws is an error of that fragment alone. */
    static void answer(UnaryOperator<String> clean) throws Exception {
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var output = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            JsonObject reply = new JsonObject();
            try {
                JsonObject fragment = new Gson().fromJson(line, JsonObject.class);
                reply.add("id", fragment.get("id"));
                reply.addProperty("html", clean.apply(fragment.get("html").getAsString()));
            } catch (Exception | StackOverflowError error) {
                reply.addProperty("error", error.toString());
            }
            output.println(reply);
        }
    }
}
