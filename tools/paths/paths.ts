import { startsOf } from '../path-models/models.ts';
import { startsInShop } from './in-shop.ts';
import { runPaths } from './run.ts';

process.exitCode = await runPaths(process.argv.slice(2), startsOf, { print: console.log, complain: console.error }, startsInShop);
