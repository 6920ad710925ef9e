import { afterEach, expect, test } from 'vitest';
import { savePlayback, getInitialPlayback } from '../../../src/flows/viewer/stored-playback.ts';

const playback = { rate: 1, volume: 1, muted: false, captions: 'en' };
const chooseRate = (titleId: string, rate: number, medium: 'audio' | 'video' = 'audio') =>
  savePlayback({ type: 'playback.chosen', playback: { ...playback, rate }, rateOf: { titleId, medium } });
const readRate = (titleId: string, medium: 'audio' | 'video' = 'audio') => getInitialPlayback(titleId, medium, 'en').rate;

afterEach(() => localStorage.clear());

test('the first title starts at normal speed, with captions in the language of the shop', () => {
  expect(getInitialPlayback('1', 'audio', 'fr')).toEqual({ ...playback, captions: 'fr' });
});

test('a title keeps its speed, and a new title starts at the last speed chosen for its medium', () => {
  chooseRate('1', 1.5);
  chooseRate('2', 2);
  chooseRate('3', 0.75, 'video');
  expect([readRate('1'), readRate('2'), readRate('3', 'video')]).toEqual([1.5, 2, 0.75]);
  expect([readRate('4'), readRate('4', 'video')]).toEqual([2, 0.75]);
  chooseRate('1', 1);
  expect([readRate('1'), readRate('2'), readRate('4')]).toEqual([1, 2, 1]);
});

test('a choice of volume and captions applies to all titles, and sets no speed for a title', () => {
  chooseRate('1', 1.5);
  savePlayback({ type: 'playback.chosen', playback: { rate: 1.5, volume: 0.5, muted: true, captions: '' } });
  chooseRate('2', 2);
  savePlayback({ type: 'playback.chosen', playback: { rate: 2, volume: 0.5, muted: true, captions: '' } });
  expect(getInitialPlayback('3', 'video', 'en')).toEqual({ rate: 1, volume: 0.5, muted: true, captions: '' });
  expect([readRate('1'), readRate('2')]).toEqual([1.5, 2]);
});

test('a speed stored by an older build applies to both media until another is chosen', () => {
  localStorage.setItem('colophon.playback', JSON.stringify({ ...playback, rate: 1.25 }));
  expect([readRate('1'), readRate('1', 'video')]).toEqual([1.25, 1.25]);
  chooseRate('1', 2);
  expect([readRate('1'), readRate('2'), readRate('2', 'video')]).toEqual([2, 2, 1.25]);
});

test('the titles whose speed was chosen longest ago are evicted first', () => {
  for (let nth = 0; nth < 201; nth += 1) chooseRate(`t${nth}`, nth % 2 === 0 ? 1.5 : 2);
  expect([readRate('t0'), readRate('t1'), readRate('t2')]).toEqual([1.5, 2, 1.5]);
  chooseRate('new', 0.5);
  expect([readRate('t0'), readRate('t1'), readRate('t2')]).toEqual([0.5, 0.5, 1.5]);
});
