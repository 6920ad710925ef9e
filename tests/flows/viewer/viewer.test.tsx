import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import type { Problem } from '../../../machines/model/problem.ts';
import { answers, rejects, waits } from '../../support/views/flow.ts';
import { pressable, stateOf } from '../../support/views/show.tsx';
import { opened } from '../../support/views/titles.ts';
import { startViewer } from '../../support/views/viewer.tsx';

describe('opening', () => {
  test('says so and can be left', async () => {
    const { container, told } = await startViewer(waits());
    expect(screen.getByText(/Opening the title/)).toBeDefined();
    await userEvent.click(pressable(container, 'close.pressed'));
    expect(told).toEqual([{ type: 'go', to: '/mylibrary', replace: true }]);
  });

  test.each<[string, Problem, RegExp]>([
    ['notOwned', { kind: 'refused', code: 'not_owned', message: '' }, /don’t own this title/],
    ['notFound', { kind: 'refused', code: 'not_found', message: '' }, /nothing to read here/],
    ['failed', { kind: 'timeout' }, /taking too long/],
  ])('%s has words of its own', async (state, problem, words) => {
    const { container } = await startViewer(rejects(problem));
    expect(stateOf(container, 'viewer')).toBe(state);
    expect(container.textContent).toMatch(words);
  });
});

describe('listening', () => {
  const listen = async () => {
    const viewer = await startViewer(answers(opened('audio')));
    viewer.sayTracks({ type: 'tracks.ready' });
    return viewer;
  };

  test('space plays and pauses, arrows skip', async () => {
    const { element, sayTracks } = await listen();
    await userEvent.keyboard('[Space]');
    sayTracks({ type: 'tracks.playing' });
    await userEvent.keyboard('[Space]{ArrowLeft}{ArrowRight}');
    expect(element).toEqual([
      { type: 'tracks.play' },
      { type: 'tracks.pause' },
      { type: 'tracks.skip', seconds: -15 },
      { type: 'tracks.skip', seconds: 30 },
    ]);
  });

  test('the media element writes the time, and the slider seeks when it is released', async () => {
    const { container, element } = await listen();
    const slider = container.querySelector<HTMLInputElement>('[data-clock="slider"]');
    expect(slider?.max).toBe('245');
    expect(container.querySelectorAll('[data-clock="elapsed"], [data-clock="left"]').length).toBe(2);
    if (slider) fireEvent.change(slider, { target: { value: '120' } });
    expect(element).toEqual([{ type: 'tracks.seek', itemId: 'a', seconds: 120 }]);
  });

  test('parts are listed, the current one marked, and can be chosen', async () => {
    const { container, element, sayTracks } = await listen();
    await userEvent.click(pressable(container, 'item.chosen', 'b'));
    expect(element).toEqual([{ type: 'tracks.seek', itemId: 'b', seconds: 0 }, { type: 'tracks.play' }]);
    sayTracks({ type: 'tracks.itemChanged', itemId: 'b' });
    expect(pressable(container, 'item.chosen', 'b').getAttribute('aria-current')).toBe('true');
    expect(container.querySelector<HTMLInputElement>('[data-clock="slider"]')?.max).toBe('310');
  });

  test('the speed is chosen', async () => {
    const { element } = await listen();
    await userEvent.selectOptions(screen.getByLabelText('Speed'), '1.5×');
    expect(element).toEqual([{ type: 'tracks.rate', rate: 1.5 }]);
  });

  test('a blocked player asks to press play; the end leads back; a failure can be tried again', async () => {
    const { container, sayTracks } = await listen();
    sayTracks({ type: 'tracks.blocked' });
    expect(screen.getByText(/Press Play/)).toBeDefined();
    sayTracks({ type: 'tracks.ended' });
    expect(screen.getByRole('button', { name: 'Back to My Library' })).toBeDefined();
    sayTracks({ type: 'tracks.failed', problem: { kind: 'offline' } });
    await userEvent.click(pressable(container, 'retry.pressed'));
    expect(stateOf(container, 'tracks')).toEqual({ attached: 'opening' });
  });

  test('a film keeps its mount point', async () => {
    const { container, sayTracks } = await startViewer(answers(opened('video')));
    const mountPoint = container.querySelector('[data-mount-point="video"]');
    expect(mountPoint).not.toBeNull();
    sayTracks({ type: 'tracks.ready' });
    sayTracks({ type: 'tracks.playing' });
    sayTracks({ type: 'tracks.waiting' });
    expect(container.querySelector('[data-mount-point="video"]')).toBe(mountPoint);
    expect(screen.getByText(/Waiting for the network/)).toBeDefined();
  });
});

test('an interactive title keeps its mount point, ends beside it and closes', async () => {
  const { container, told, sayIframe } = await startViewer(answers(opened('interactive')));
  const mountPoint = container.querySelector('[data-mount-point="interactive"]');
  expect(mountPoint).not.toBeNull();
  sayIframe({ type: 'interactive.ready' });
  sayIframe({ type: 'interactive.ended' });
  expect(screen.getByText('The end')).toBeDefined();
  expect(container.querySelector('[data-mount-point="interactive"]')).toBe(mountPoint);
  await userEvent.click(pressable(container, 'close.pressed'));
  expect(told).toEqual([{ type: 'go', to: '/mylibrary', replace: true }]);
});
