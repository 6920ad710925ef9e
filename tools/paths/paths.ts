import { modelsByMachine } from '../path-models/models.ts';
import { exploreModelsInShop } from './in-shop.ts';
import { runPaths } from './run.ts';

process.exitCode = await runPaths(
  process.argv.slice(2),
  modelsByMachine,
  { print: console.log, complain: console.error },
  exploreModelsInShop,
);
