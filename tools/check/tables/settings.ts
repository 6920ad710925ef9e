import { gatewayVariables } from '../../../server/gateway/variables.ts';
import { getDefaultText, isOptional, type Variable, type Variables } from '../../../server/settings/variable.ts';
import { variables } from '../../../server/setup/environment.ts';
import { formatTable } from './table.ts';

function formatDefault(variable: Variable): string {
  if (variable.defaultDescription !== undefined) return variable.defaultDescription;
  if (!isOptional(variable)) return 'needed';
  const text = getDefaultText(variable);
  return text === undefined ? 'none' : `\`${text}\``;
}

const formatVariables = (rows: Variables): string =>
  formatTable(
    ['Variable', 'Default', 'Meaning'],
    Object.entries(rows).map(([name, variable]) => [`\`${name}\``, formatDefault(variable), variable.description]),
  );

export const formatSettings = (): string =>
  [formatVariables(variables), '`npm run gateway` reads:', formatVariables(gatewayVariables)].join('\n\n');
