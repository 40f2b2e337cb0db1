// Parse formulas with the MathJax that the pages load. In: [[tex, display], ...] as JSON. Out: for each its fault, or null.
const formulas = JSON.parse(require("fs").readFileSync(0, "utf8"));

require("mathjax").init({
  loader: {load: ["input/tex-full", "adaptors/liteDOM"], versionWarnings: false},
  tex: {
    // Two packages show a fault in red instead of raising it, the third measures boxes and needs a page.
    packages: {"[-]": ["noundefined", "noerrors", "bussproofs"]},
    formatError: (input, error) => { throw error; },
  },
}).then(MathJax => {
  const faults = formulas.map(([tex, display]) => {
    try {
      MathJax.tex2mml(tex, {display});
      return null;
    } catch (error) {
      return error.message;
    }
  });
  process.stdout.write(JSON.stringify(faults));
}).catch(error => {
  console.error(error);
  process.exitCode = 1;
});
