/** The style of a reply page: system fonts, light and dark, from 320 pixels on. */
export const STYLE = `:root{color-scheme:light dark;--page:#f6f7f9;--card:#fff;--text:#1c2430;--soft:#525c6b;--line:#cfd5de;--accent:#1d4ed8;--on-accent:#fff;--bad:#b42318}
@media(prefers-color-scheme:dark){:root{--page:#12161d;--card:#1b212b;--text:#e8ecf2;--soft:#aab4c3;--line:#3a4453;--accent:#8fb4ff;--on-accent:#0b1220;--bad:#ff9d92}}
*{box-sizing:border-box}
[hidden]{display:none!important}
body{margin:0;background:var(--page);color:var(--text);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
main,header{max-width:44rem;margin:0 auto;padding:1rem}
header{padding-bottom:0}
header .row{justify-content:flex-end;margin:0}
h1{font-size:1.4rem;line-height:1.25;margin:.25rem 0 .5rem}
h2{font-size:1.1rem;margin:0 0 .5rem}
h2:focus{outline:none}
p{margin:.5rem 0}
.soft{color:var(--soft);font-size:.925rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:.75rem;padding:1rem;margin:1rem 0}
dl{display:grid;grid-template-columns:minmax(6rem,max-content) 1fr;gap:.35rem 1rem;margin:0}
dt{color:var(--soft)}
dd{margin:0;font-variant-numeric:tabular-nums}
dd.total{font-weight:700;font-size:1.15rem}
fieldset{border:0;margin:0 0 1rem;padding:0}
legend{font-weight:600;padding:0;margin-bottom:.35rem}
.choice{display:flex;gap:.6rem;align-items:flex-start;padding:.5rem 0}
.choice input{margin:.3rem 0 0;width:1.1rem;height:1.1rem;flex:none;accent-color:var(--accent)}
.field{display:block;margin:0 0 1rem}
.field span{display:block;font-weight:600;margin-bottom:.25rem}
input[type=text],input[type=date],select,textarea{width:100%;font:inherit;color:inherit;background:var(--page);border:1px solid var(--line);border-radius:.5rem;padding:.55rem .65rem}
textarea{min-height:5rem;resize:vertical}
#code{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.8rem}
button,.button{font:inherit;font-weight:600;display:inline-block;border:1px solid var(--line);border-radius:.5rem;padding:.6rem .9rem;background:var(--card);color:var(--text);cursor:pointer;text-decoration:none}
.main{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
.row{display:flex;flex-wrap:wrap;gap:.6rem;margin:.75rem 0}
header button{padding:.3rem .6rem;font-weight:400}
header button[aria-pressed=true]{border-color:var(--accent);font-weight:600}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.fault{color:var(--bad);font-weight:600}
@media(max-width:30rem){dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.5rem}main .row>*{flex:1 1 100%;text-align:center}}
@media print{header,form,#result{display:none}body{background:#fff;color:#000}}`
