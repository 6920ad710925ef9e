import { expect, test } from 'vitest';
import { purityOf } from '../../machines/paths/purity.ts';
import { models } from './models.ts';

test.each(models)('$name can be replayed', (model) => {
  expect(purityOf(model.machine, model)).toEqual([]);
});
