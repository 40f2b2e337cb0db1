// Parse formulas with the MathJax that the pages load. In: [[tex, display], ...] as JSON. Out: for each its fault, or null.
const formulas = JSON.parse(require("fs").readFileSync(0, "utf8"));

require("mathjax").init({
  loader: {load: ["input/tex", "adaptors/liteDOM"]},
  tex: {
    packages: {"[-]": ["noundefined", "noerrors"]},  // they show a fault in red instead of raising it
    formatError: (input, error) => { throw error; },
  },
}).then(async MathJax => {
  const faults = [];
  for (const [tex, display] of formulas)
    faults.push(await MathJax.tex2mmlPromise(tex, {display}).then(() => null, error => error.message));
  process.stdout.write(JSON.stringify(faults));
}).catch(error => {
  console.error(error);
  process.exitCode = 1;
});
