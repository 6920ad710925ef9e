import { safeParse, type BaseIssue, type GenericSchema } from 'valibot';
import { BadSetting } from './bad-setting.ts';
import { isOptional, type Variable, type Variables } from './variable.ts';

/** An empty value counts as missing. The schema of a required variable refuses the empty text. */
function readGivenValues(table: Variables, environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(table).flatMap(([name, variable]) => {
      const text = environment[name] || (variable.former === undefined ? '' : environment[variable.former]) || '';
      return text === '' && isOptional(variable) ? [] : [[name, text]];
    }),
  );
}

function formatValue({ isSecret }: Variable, value: string): string {
  if (value === '') return 'but is missing';
  return isSecret ? `not the given ${value.length} characters` : `not "${value}"`;
}

/** One sentence. The message of a rule between variables is a complete sentence, and names them. */
function toSentence(issue: BaseIssue<unknown>, table: Variables, values: Record<string, string>): string {
  const name = String(issue.path?.[0]?.key);
  const variable = table[name];
  if (variable === undefined || issue.type === 'partial_check') return issue.message;
  return `${name} ${issue.message}, ${formatValue(variable, values[name] ?? '')}.`;
}

/**
 * Reads variables by the schema of their table.
 * @throws BadSetting with a line for each problem
 */
export function readVariables<Value>(
  schema: GenericSchema<unknown, Value>,
  table: Variables,
  environment: NodeJS.ProcessEnv,
): Value {
  const values = readGivenValues(table, environment);
  const read = safeParse(schema, values);
  if (read.success) return read.output;
  throw new BadSetting([...new Set(read.issues.map((issue) => toSentence(issue, table, values)))].join('\n'));
}

/**
 * Edit distance between two texts: a character added, removed or replaced, or two neighbours
 * swapped.
 */
function editDistance(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Infinity;
  for (let row = 1; row <= one.length; row++) {
    rows[row] = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      rows[row]?.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(row - 2, column - 2) + 1 : Infinity,
        ),
      );
    }
  }
  return at(one.length, other.length);
}

/** Short names are similar to many variables of other programs. */
const allowedEdits = (name: string): number => (name.length < 8 ? 1 : 2);

/**
 * Finds variables that are probably misspelt: unknown names that differ from a known one by case or
 * by one or two characters. Not an error, since other programs share the environment.
 * @returns a sentence for each
 */
export function findMisspeltVariables(table: Variables, environment: NodeJS.ProcessEnv): string[] {
  const names = Object.keys(table);
  return Object.keys(environment).flatMap((given) => {
    if (names.includes(given)) return [];
    const renamed = names.find((name) => table[name]?.former === given);
    if (renamed !== undefined) return [`${given} is called ${renamed} now. The old name still works.`];
    const meant = names.find((name) => editDistance(given.toUpperCase(), name) <= allowedEdits(name));
    return meant === undefined || environment[meant] ? [] : [`${given} is not a setting. Did you mean ${meant}?`];
  });
}
