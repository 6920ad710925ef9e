import ts from 'typescript';
import { codeChanges } from './change-code.ts';
import { configChanges } from './change-config.ts';
import type { Mutant } from './mutant.ts';
import type { Add, Walk } from './walk.ts';

const statesIn = (tree: ts.SourceFile): string[][] => {
  const lists: string[][] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && node.name.getText(tree) === 'states' && ts.isObjectLiteralExpression(node.initializer)) {
      lists.push(node.initializer.properties.flatMap(({ name }) => (name && ts.isIdentifier(name) ? [name.text] : [])));
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return lists;
};

/** Every change of a file of machines, each on its own. Types, imports and ports are left as they are. */
export const mutantsIn = (file: string, source: string): Mutant[] => {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const found = new Map<string, Mutant>();
  const changes = new Set<string>();
  const add: Add = ({ start, end, text, kind, place, what }) => {
    const change = JSON.stringify([start, end, text]);
    if (source.slice(start, end) === text || changes.has(change)) return;
    changes.add(change);
    const line = tree.getLineAndCharacterOfPosition(start).line + 1;
    const name = `${file} ${place}: ${what}`;
    // The same words at the same place are counted.
    let key = name;
    for (let count = 2; found.has(key); count += 1) key = `${name} (${count})`;
    found.set(key, { key, file, line, kind, start, end, text });
  };
  const walk: Walk = { tree, add, stateLists: statesIn(tree) };
  for (const statement of tree.statements) {
    if (ts.isFunctionDeclaration(statement)) codeChanges(walk, statement, statement.name?.text ?? '', 'functions');
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (initializer) configChanges(walk, initializer, name.getText(tree).endsWith('Machine') ? '' : name.getText(tree));
    }
  }
  return [...found.values()];
};
