// What stands above static/js/sw.js as it is served: see tourney/views/installed.py.
declare const BUILD: string;
declare const WORDS: Record<string, Record<string, string>>;
