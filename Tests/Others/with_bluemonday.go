// bluemonday, by its two presets; at P3 with classes and styles, which it looks into.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"github.com/microcosm-cc/bluemonday"
)

type fragment struct {
	ID   json.RawMessage `json:"id"`
	HTML string          `json:"html"`
}

func policy(level string) *bluemonday.Policy {
	switch level {
	case "P0":
		return bluemonday.StrictPolicy()
	case "P2":
		return bluemonday.UGCPolicy()
	case "P3":
		wide := bluemonday.UGCPolicy()
		wide.AllowAttrs("class").Globally()
		wide.AllowStyles("color", "background-color", "font-size", "font-weight", "text-align", "width").Globally()
		return wide
	}
	fmt.Fprintln(os.Stderr, "it can be set to P0, P2, P3, not to", level)
	os.Exit(64)
	return nil
}

func main() {
	rules := policy(os.Args[len(os.Args)-1])
	lines := bufio.NewReader(os.Stdin)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var in fragment
		if err := json.Unmarshal(line, &in); err != nil {
			out.Encode(map[string]any{"error": err.Error()})
			continue
		}
		out.Encode(map[string]any{"id": in.ID, "html": rules.Sanitize(in.HTML)})
	}
}
