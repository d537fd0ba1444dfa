/** The id of a theme in a path: a regular expression for every engine, bounded because files have short names. */
export const THEME_ID = '[1-9][0-9]{0,15}';
