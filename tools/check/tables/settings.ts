import { gatewayVariables } from '../../../server/gateway/variables.ts';
import { defaultOf, isOptional, type Variable, type Variables } from '../../../server/settings/variable.ts';
import { variables } from '../../../server/setup/environment.ts';
import { table } from './table.ts';

function defaultInTable(variable: Variable): string {
  if (variable.otherwise !== undefined) return variable.otherwise;
  if (!isOptional(variable)) return 'needed';
  const text = defaultOf(variable);
  return text === undefined ? 'none' : `\`${text}\``;
}

const tableOf = (rows: Variables): string =>
  table(
    ['Variable', 'Default', 'Meaning'],
    Object.entries(rows).map(([name, variable]) => [`\`${name}\``, defaultInTable(variable), variable.says]),
  );

export const settingsText = (): string =>
  [tableOf(variables), '`npm run gateway` reads:', tableOf(gatewayVariables)].join('\n\n');
