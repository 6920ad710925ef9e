import { safeParse, type BaseIssue, type GenericSchema } from 'valibot';
import { BadSetting } from './bad-setting.ts';
import { isOptional, type Variable, type Variables } from './variable.ts';

/** An empty value counts as missing. The schema of a required variable refuses the empty text. */
function readSetValues(table: Variables, environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(table).flatMap(([name, variable]) => {
      const text = environment[name] || (variable.formerName === undefined ? '' : environment[variable.formerName]) || '';
      return text === '' && isOptional(variable) ? [] : [[name, text]];
    }),
  );
}

function formatValue({ isSecret }: Variable, value: string): string {
  if (value === '') return 'but is missing';
  return isSecret ? `not the given ${value.length} characters` : `not "${value}"`;
}

/** An issue as a sentence. The message of a rule between variables already is a whole sentence. */
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
  const values = readSetValues(table, environment);
  const parsed = safeParse(schema, values);
  if (parsed.success) return parsed.output;
  throw new BadSetting([...new Set(parsed.issues.map((issue) => toSentence(issue, table, values)))].join('\n'));
}

/**
 * Edit distance between two texts: a character added, removed or replaced, or two neighbours
 * swapped.
 */
function computeEditDistance(source: string, target: string): number {
  const rows: number[][] = [Array.from({ length: target.length + 1 }, (_, column) => column)];
  const getDistance = (row: number, column: number): number => rows[row]?.[column] ?? Infinity;
  for (let row = 1; row <= source.length; row++) {
    rows[row] = [row];
    for (let column = 1; column <= target.length; column++) {
      const isSame = source[row - 1] === target[column - 1];
      const isSwapped = source[row - 1] === target[column - 2] && source[row - 2] === target[column - 1];
      rows[row]?.push(
        Math.min(
          getDistance(row - 1, column) + 1,
          getDistance(row, column - 1) + 1,
          getDistance(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwapped ? getDistance(row - 2, column - 2) + 1 : Infinity,
        ),
      );
    }
  }
  return getDistance(source.length, target.length);
}

/**
 * Maximum edits of a misspelt name; short names are similar to many variables of other programs.
 */
const getAllowedEdits = (name: string): number => (name.length < 8 ? 1 : 2);

/**
 * Finds variables with a former name, and variables that are probably misspelt: unknown names that
 * differ by case, or by one or two characters, from a known one that is not set. Not an error,
 * since other programs share the environment.
 * @returns a sentence for each
 */
export function findMisspeltVariables(table: Variables, environment: NodeJS.ProcessEnv): string[] {
  const names = Object.keys(table);
  return Object.keys(environment).flatMap((variableName) => {
    if (names.includes(variableName)) return [];
    const currentName = names.find((name) => table[name]?.formerName === variableName);
    if (currentName !== undefined) return [`${variableName} is called ${currentName} now. The old name still works.`];
    const suggestion = names.find((name) => computeEditDistance(variableName.toUpperCase(), name) <= getAllowedEdits(name));
    return suggestion === undefined || environment[suggestion]
      ? []
      : [`${variableName} is not a setting. Did you mean ${suggestion}?`];
  });
}
