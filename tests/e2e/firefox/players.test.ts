import type { FirefoxPage } from './support/firefox-page.ts';
import { expect, testInFirefox } from './support/story.ts';

const titles = { recording: '1019', film: '1022' };

/** Seconds into the part, by the player's slider. */
const clock = (view: FirefoxPage): Promise<number> => view.slider('[data-clock="slider"]');

const expectPlaying = async (view: FirefoxPage, from: number): Promise<void> => {
  await view.isIn('tracks', { attached: 'playing' });
  await expect.poll(() => clock(view), { message: `the clock advances from ${from}` }).toBeGreaterThan(from + 1);
};

const readCurrentItem = (view: FirefoxPage): Promise<string> => view.text('[data-event="item.chosen"][aria-current="true"]');

testInFirefox(
  'a recording plays, skips, continues with the next part, and a reload keeps the place',
  async ({ view, customer }) => {
    await view.openBought(customer, titles.recording);
    await view.isIn('tracks', { attached: 'paused' });
    // Without an audio device Firefox plays a recording only while it is muted.
    await view.page.keyboard.press('m');
    await view.press('play.pressed');
    await expectPlaying(view, 0);
    await view.press('skip.pressed', '30');
    await expectPlaying(view, 30);
    expect(await readCurrentItem(view)).toContain('The Last Train');

    await view.page.focus('[data-event="seek.chosen"]');
    await view.page.keyboard.press('End');
    await expect.poll(() => readCurrentItem(view)).toContain('One Beat');
    await expectPlaying(view, 0);
    await view.press('skip.pressed', '30');
    await expectPlaying(view, 30);
    await view.press('pause.pressed');
    await view.isIn('tracks', { attached: 'paused' });
    const left = await clock(view);

    await view.page.reload();
    await view.isIn('tracks', { attached: 'paused' });
    await expect.poll(() => readCurrentItem(view)).toContain('One Beat');
    await expect.poll(() => clock(view)).toBeCloseTo(left, 0);
  },
);

testInFirefox('a recording without an audio device names that as the cause', async ({ view, customer }) => {
  await view.openBought(customer, titles.recording);
  await view.isIn('tracks', { attached: 'paused' });
  await view.press('play.pressed');
  const told = () => view.text('[data-flow="interruption"]');
  await expect.poll(told).toContain('This device has no sound output.');
  await view.isIn('tracks', { attached: 'paused' });
});

/** Firefox has no decoder of its own for MP4 films: Debian's uses FFmpeg's. */
const missingDecoderReason =
  'this Firefox decodes no MP4 film (on Debian: apt-get install libavcodec-extra); the film was not played';

testInFirefox('a film plays its pictures by the space bar, and shows its captions', async ({ view, customer, skip }) => {
  await view.openBought(customer, titles.film);
  const canPlay = () => document.createElement('video').canPlayType('video/mp4; codecs="avc1.640028, mp4a.40.2"');
  if ((await view.page.evaluate(canPlay)) === '') {
    console.info(`skipped: ${missingDecoderReason}`);
    skip(missingDecoderReason);
  }
  await view.isIn('tracks', { attached: 'paused' });
  await view.page.keyboard.press(' ');
  await expectPlaying(view, 0);
  const film = () =>
    view.page.$eval('video', (video) => ({
      width: video.videoWidth,
      hasFrames: video.getVideoPlaybackQuality().totalVideoFrames > 0,
      captions: [...video.textTracks].filter(({ mode }) => mode === 'showing').map(({ language }) => language),
    }));
  expect(await film()).toEqual({ width: 640, hasFrames: true, captions: ['en'] });
  await view.page.keyboard.press(' ');
  await view.isIn('tracks', { attached: 'paused' });
});
