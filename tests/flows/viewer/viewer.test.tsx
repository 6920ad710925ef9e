import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import type { Problem } from '../../../machines/model/problem.ts';
import { answeringPort, rejectingPort, pendingPort } from '../../support/views/flow.ts';
import { findPressable, readState } from '../../support/views/show.tsx';
import { makeOpened, playback, title } from '../../support/views/titles.ts';
import { startViewer } from '../../support/views/viewer.tsx';

describe('opening', () => {
  test('says so and can be left', async () => {
    const { container, told } = await startViewer(pendingPort());
    expect(screen.getByText(/Opening the title/)).toBeDefined();
    await userEvent.click(findPressable(container, 'close.pressed'));
    expect(told).toEqual([{ type: 'go', to: '/mylibrary', replace: true }]);
  });

  test.each<[string, Problem, RegExp]>([
    ['notOwned', { kind: 'refused', code: 'not_owned', message: '' }, /isn’t in your library/],
    ['notFound', { kind: 'refused', code: 'not_found', message: '' }, /nothing to read here/],
    ['failed', { kind: 'timeout' }, /taking too long/],
  ])('%s has a message of its own', async (state, problem, words) => {
    const { container } = await startViewer(rejectingPort(problem));
    expect(readState(container, 'viewer')).toBe(state);
    expect(container.textContent).toMatch(words);
    const offers = screen.queryAllByRole('button', { name: 'Save a record of this visit' });
    expect(offers).toHaveLength(state === 'failed' ? 1 : 0);
  });
});

describe('listening', () => {
  const listen = async () => {
    const viewer = await startViewer(answeringPort(makeOpened('audio')));
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
    await userEvent.click(findPressable(container, 'item.chosen', 'b'));
    expect(element).toEqual([{ type: 'tracks.seek', itemId: 'b', seconds: 0 }, { type: 'tracks.play' }]);
    sayTracks({ type: 'tracks.itemChanged', itemId: 'b' });
    expect(findPressable(container, 'item.chosen', 'b').getAttribute('aria-current')).toBe('true');
    expect(container.querySelector<HTMLInputElement>('[data-clock="slider"]')?.max).toBe('310');
  });

  test('chapters within a single part are its table of contents: the current one is marked, each can be opened', async () => {
    const chapters = [
      { name: 'Low water', seconds: 0 },
      { name: 'The quay', seconds: 40 },
      { name: 'The boat', seconds: 120 },
    ];
    const items = makeOpened('audio')
      .publication.items.slice(0, 1)
      .map((each) => ({ ...each, chapters }));
    const { container, element, sayTracks } = await startViewer(answeringPort(makeOpened('audio', { items })));
    sayTracks({ type: 'tracks.ready' });
    const list = screen.getByRole('navigation', { name: 'Chapters' });
    const marked = () => list.querySelector('[aria-current]')?.textContent;
    expect(
      within(list)
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual([expect.stringContaining('Low water'), expect.stringContaining('The quay'), expect.stringContaining('The boat')]);
    expect(marked()).toContain('Low water');
    await userEvent.click(findPressable(container, 'item.chosen', 'a 40'));
    expect(element).toEqual([{ type: 'tracks.seek', itemId: 'a', seconds: 40 }, { type: 'tracks.play' }]);
    sayTracks({ type: 'position.passed', itemId: 'a', seconds: 119.8, totalProgression: 0.4 });
    expect(marked()).toContain('The boat');
  });

  test('speed and volume are chosen, by keys too, and remembered for the next recording', async () => {
    const { element, remembered, container } = await listen();
    const chosen = (): unknown => element.map((command) => command.type === 'tracks.playback' && command.playback);
    await userEvent.selectOptions(screen.getByLabelText('Speed'), '1.5×');
    const fast = { ...playback, rate: 1.5 };
    fireEvent.change(findPressable(container, 'volume.chosen'), { target: { value: '0.5' } });
    const soft = { ...fast, volume: 0.5 };
    await userEvent.click(screen.getByRole('button', { name: 'Mute' }));
    // Unmuting restores the earlier volume.
    await userEvent.click(screen.getByRole('button', { name: 'Unmute' }));
    screen.getByRole('region').focus();
    await userEvent.keyboard('m{ArrowUp}{ArrowDown}');
    const expected = [fast, soft, { ...soft, muted: true }, soft, { ...soft, muted: true }, { ...soft, volume: 0.1 }];
    expect(chosen()).toEqual([...expected, { ...soft, volume: 0.1, muted: true }]);
    expect(remembered).toEqual(chosen());
  });

  test('a retry starts with the part that failed, and keeps playing', async () => {
    const { container, element, started, sayTracks } = await listen();
    sayTracks({ type: 'position.passed', itemId: 'a', seconds: 200, totalProgression: 0.04 });
    await userEvent.click(findPressable(container, 'item.chosen', 'b'));
    sayTracks({ type: 'tracks.itemChanged', itemId: 'b' });
    sayTracks({ type: 'tracks.failed', problem: { kind: 'offline' } });
    element.length = 0;
    await userEvent.click(findPressable(container, 'retry.pressed'));
    expect(started.map(({ start }) => start)).toEqual([null, { itemId: 'b', seconds: 0 }]);
    sayTracks({ type: 'tracks.ready' });
    expect(element).toEqual([{ type: 'tracks.play' }]);
  });

  test('closing and hiding read the current playback position, and save it', async () => {
    const { container, element, saved, hide, sayTracks } = await listen();
    sayTracks({ type: 'tracks.playing' });
    sayTracks({ type: 'position.passed', itemId: 'a', seconds: 10, totalProgression: 0.01 });
    hide();
    expect(element).toEqual([{ type: 'tracks.tell' }]);
    sayTracks({ type: 'tracks.told', itemId: 'a', seconds: 13.5, totalProgression: 0.02 });
    expect(saved()).toMatchObject({ seconds: 13.5 });
    expect(readState(container, 'tracks')).toEqual({ attached: 'playing' });
    await userEvent.click(findPressable(container, 'close.pressed'));
    expect(element).toEqual([{ type: 'tracks.tell' }, { type: 'tracks.tell' }]);
    sayTracks({ type: 'tracks.told', itemId: 'a', seconds: 14.2, totalProgression: 0.02 });
    expect(saved()).toMatchObject({ seconds: 14.2 });
    expect(readState(container, 'tracks')).toBe('closing');
  });

  test('a recording that was not played closes at once: there is nothing to save', async () => {
    const { container, told, saved, sayTracks } = await listen();
    await userEvent.click(findPressable(container, 'close.pressed'));
    sayTracks({ type: 'tracks.told', itemId: 'a', seconds: 0, totalProgression: 0 });
    expect(saved()).toBeNull();
    expect(told).toEqual([{ type: 'go', to: '/mylibrary', replace: true }]);
  });

  test('the cover of the title is shown, and set on the media element', async () => {
    const cover = { url: 'https://shop.test/cover.jpg', smallUrl: '', widths: [], width: 600, height: 900, color: '#123456' };
    const { container, started } = await startViewer(answeringPort({ ...makeOpened('audio'), about: { ...title, cover } }));
    expect(container.querySelector('img')?.src).toBe(cover.url);
    expect(started[0]?.about).toEqual({ name: 'The Ferry Ledger', authors: ['Ines Marlow'], cover });
  });

  test('blocked autoplay asks to press play; the end links back; a failure can be retried', async () => {
    const { container, sayTracks } = await listen();
    sayTracks({ type: 'tracks.blocked' });
    expect(screen.getByText(/Press Play/)).toBeDefined();
    sayTracks({ type: 'tracks.ended' });
    expect(screen.getByRole('button', { name: 'Back to My Library' })).toBeDefined();
    sayTracks({ type: 'tracks.failed', problem: { kind: 'offline' } });
    await userEvent.click(findPressable(container, 'retry.pressed'));
    expect(readState(container, 'tracks')).toEqual({ attached: 'opening' });
  });

  describe('a film', () => {
    const items = makeOpened('video').publication.items.map((item) => ({
      ...item,
      captions: ['en', 'fr'].map((language) => ({ url: `/${language}.vtt`, language })),
    }));
    const watch = async () => {
      const viewer = await startViewer(answeringPort(makeOpened('video', { items })));
      viewer.sayTracks({ type: 'tracks.ready' });
      return viewer;
    };

    test('has captions in several languages, which are switched off and on', async () => {
      const { element } = await watch();
      const captions = (): unknown => element.map((command) => command.type === 'tracks.playback' && command.playback.captions);
      await userEvent.selectOptions(screen.getByLabelText('Language of the captions'), 'français');
      const button = screen.getByRole('button', { name: 'Captions' });
      expect(button.getAttribute('aria-pressed')).toBe('true');
      await userEvent.click(button);
      expect(button.getAttribute('aria-pressed')).toBe('false');
      expect(screen.queryByLabelText('Language of the captions')).toBeNull();
      await userEvent.keyboard('c');
      expect(captions()).toEqual(['fr', '', 'en']);
    });

    test('fills the screen, by a button or a key, and the button says how to leave that', async () => {
      const { element, sayTracks } = await watch();
      await userEvent.click(screen.getByRole('button', { name: 'Full screen' }));
      sayTracks({ type: 'tracks.fullScreenChanged', on: true });
      expect(screen.getByRole('button', { name: 'Leave full screen' })).toBeDefined();
      await userEvent.keyboard('f');
      expect(element).toEqual([{ type: 'tracks.fullScreen' }, { type: 'tracks.fullScreen' }]);
    });

    test('plays and pauses by a press on its picture, or K', async () => {
      const { container, element, sayTracks } = await watch();
      const picture = container.querySelector('[data-mount-point="video"]');
      if (picture) await userEvent.click(picture);
      sayTracks({ type: 'tracks.playing' });
      if (picture) await userEvent.click(picture);
      sayTracks({ type: 'tracks.paused', itemId: 'a', seconds: 1 });
      await userEvent.keyboard('k');
      expect(element).toEqual([{ type: 'tracks.play' }, { type: 'tracks.pause' }, { type: 'tracks.play' }]);
    });
  });

  test('a film keeps its mount point', async () => {
    const { container, sayTracks } = await startViewer(answeringPort(makeOpened('video')));
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
  const { container, told, sayIframe } = await startViewer(answeringPort(makeOpened('interactive')));
  const mountPoint = container.querySelector('[data-mount-point="interactive"]');
  expect(mountPoint).not.toBeNull();
  sayIframe({ type: 'interactive.ready' });
  sayIframe({ type: 'interactive.ended' });
  expect(screen.getByText('The end')).toBeDefined();
  expect(container.querySelector('[data-mount-point="interactive"]')).toBe(mountPoint);
  await userEvent.click(findPressable(container, 'close.pressed'));
  expect(told).toEqual([{ type: 'go', to: '/mylibrary', replace: true }]);
});
