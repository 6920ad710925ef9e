import { expect, test } from 'vitest';
import { applyChanges, addChange, type WishChange } from '../../machines/model/buying/wish-list.ts';

const wish = (titleId: string) => ({ titleId, savedAt: '' });

test('a change puts a title first, or removes it; a saved title keeps its place', () => {
  expect(applyChanges([wish('1'), wish('2')], [{ titleId: '3', isSaved: true }])).toEqual([wish('3'), wish('1'), wish('2')]);
  expect(applyChanges([wish('1'), wish('2')], [{ titleId: '2', isSaved: true }])).toEqual([wish('1'), wish('2')]);
  expect(applyChanges([wish('1'), wish('2')], [{ titleId: '1', isSaved: false }])).toEqual([wish('2')]);
  expect(applyChanges([], [{ titleId: '1', isSaved: false }])).toEqual([]);
});

test('of two changes to one title, the later one wins', () => {
  const first = addChange<WishChange>([], { titleId: '1', isSaved: true });
  expect(addChange(first, { titleId: '1', isSaved: false })).toEqual([{ titleId: '1', isSaved: false }]);
});
