import { afterEach, expect, test } from 'vitest';
import { keepPlayback, playbackOf } from '../../../src/flows/viewer/kept-playback.ts';

const playback = { rate: 1, volume: 1, muted: false, captions: 'en' };
const chooseRate = (titleId: string, rate: number, medium: 'audio' | 'video' = 'audio') =>
  keepPlayback({ type: 'playback.chosen', playback: { ...playback, rate }, rateOf: { titleId, medium } });
const rateOf = (titleId: string, medium: 'audio' | 'video' = 'audio') => playbackOf(titleId, medium, 'en').rate;

afterEach(() => localStorage.clear());

test('the first title begins at the usual speed, with captions in the language of the shop', () => {
  expect(playbackOf('1', 'audio', 'fr')).toEqual({ ...playback, captions: 'fr' });
});

test('a title keeps its speed, and a new one begins at the last that was chosen for its medium', () => {
  chooseRate('1', 1.5);
  chooseRate('2', 2);
  chooseRate('3', 0.75, 'video');
  expect([rateOf('1'), rateOf('2'), rateOf('3', 'video')]).toEqual([1.5, 2, 0.75]);
  expect([rateOf('4'), rateOf('4', 'video')]).toEqual([2, 0.75]);
  chooseRate('1', 1);
  expect([rateOf('1'), rateOf('2'), rateOf('4')]).toEqual([1, 2, 1]);
});

test('loudness and captions are of all titles, and make no speed the title’s own', () => {
  chooseRate('1', 1.5);
  keepPlayback({ type: 'playback.chosen', playback: { rate: 1.5, volume: 0.5, muted: true, captions: '' } });
  chooseRate('2', 2);
  keepPlayback({ type: 'playback.chosen', playback: { rate: 2, volume: 0.5, muted: true, captions: '' } });
  expect(playbackOf('3', 'video', 'en')).toEqual({ rate: 1, volume: 0.5, muted: true, captions: '' });
  expect([rateOf('1'), rateOf('2')]).toEqual([1.5, 2]);
});

test('a speed that an older build kept is that of both media until another is chosen', () => {
  localStorage.setItem('colophon.playback', JSON.stringify({ ...playback, rate: 1.25 }));
  expect([rateOf('1'), rateOf('1', 'video')]).toEqual([1.25, 1.25]);
  chooseRate('1', 2);
  expect([rateOf('1'), rateOf('2'), rateOf('2', 'video')]).toEqual([2, 2, 1.25]);
});

test('the titles whose speed was chosen longest ago make room for others', () => {
  for (let nth = 0; nth < 201; nth += 1) chooseRate(`t${nth}`, nth % 2 === 0 ? 1.5 : 2);
  expect([rateOf('t0'), rateOf('t1'), rateOf('t2')]).toEqual([1.5, 2, 1.5]);
  chooseRate('new', 0.5);
  expect([rateOf('t0'), rateOf('t1'), rateOf('t2')]).toEqual([0.5, 0.5, 1.5]);
});
