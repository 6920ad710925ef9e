import { expect, test } from 'vitest';
import { applyChanges, addChange, type WishChange } from '../../machines/model/buying/wish-list.ts';

const makeWish = (titleId: string) => ({ titleId, savedAt: '' });

test('a change puts a new title first, or removes one; a saved title keeps its position', () => {
  expect(applyChanges([makeWish('1'), makeWish('2')], [{ titleId: '3', isSaved: true }])).toEqual([
    makeWish('3'),
    makeWish('1'),
    makeWish('2'),
  ]);
  expect(applyChanges([makeWish('1'), makeWish('2')], [{ titleId: '2', isSaved: true }])).toEqual([makeWish('1'), makeWish('2')]);
  expect(applyChanges([makeWish('1'), makeWish('2')], [{ titleId: '1', isSaved: false }])).toEqual([makeWish('2')]);
  expect(applyChanges([], [{ titleId: '1', isSaved: false }])).toEqual([]);
});

test('of two changes to one title, the later one wins', () => {
  const earlierChanges = addChange<WishChange>([], { titleId: '1', isSaved: true });
  expect(addChange(earlierChanges, { titleId: '1', isSaved: false })).toEqual([{ titleId: '1', isSaved: false }]);
});
