/** Parts of JSON (RFC 8259) as named groups of PCRE: a string, white space, a value, a member, an object. */
const GRAMMAR = String.raw`(?(DEFINE)
(?<s>"(?:[^"\\\x00-\x1f]++|\\["\\/bfnrt]|\\u[0-9A-Fa-f]{4})*+")
(?<w>[ \t\r\n]*+)
(?<v>(?&s)|-?(?:0|[1-9]\d*+)(?:\.\d++)?(?:[eE][+-]?\d++)?|true|false|null|(?&o)|\[(?&w)(?:(?&v)(?&w)(?:,(?&w)(?&v)(?&w))*+)?\])
(?<m>(?&s)(?&w):(?&w)(?&v)(?&w))
(?<o>\{(?&w)(?:(?&m)(?:,(?&w)(?&m))*+)?\})
)`;

/**
 * A regular expression (PCRE) that matches exactly one JSON object. HAProxy's `json_query` also finds
 * members in an incomplete object, and in one that other text follows (measured on 2.6.12).
 */
export const WHOLE_OBJECT = `${GRAMMAR.replaceAll('\n', '')}\\A(?&w)(?&o)(?&w)\\z`;
