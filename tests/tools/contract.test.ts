import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { expect, test } from 'vitest';
import { checkContract } from '../../tools/check/contract.ts';
import { plantTree } from './support/tree.ts';

const formatContract = (property: string): string => `openapi: 3.1.0
info: { title: Small, version: '1' }
paths:
  /plans:
    get:
      responses:
        '200':
          description: the plans
          content: { application/json: { schema: { type: object, properties: { ${property}: { type: string } } } } }
`;

test('types generated from the contract pass, and a changed contract is reported', async () => {
  const types = COMMENT_HEADER + astToString(await openapiTS(formatContract('Name')));
  const root = await plantTree({ 'openapi.yaml': formatContract('Name'), 'src/client/wire/schema.gen.ts': types });
  expect(await checkContract(root)).toMatchObject({ passed: 1, failed: 0 });

  await writeFile(join(root, 'openapi.yaml'), formatContract('Title'));
  const { failed, summary } = await checkContract(root);
  expect(failed).toBe(1);
  expect(summary).toContain('expected Title?: string;, found Name?: string;');
});

test('a contract without its types is reported', async () => {
  const root = await plantTree({ 'openapi.yaml': formatContract('Name') });
  expect(await checkContract(root)).toMatchObject({ passed: 0, failed: 1 });
});
