import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Item, Title } from '../../../tools/demo/catalogue.ts';
import { computeMp3Duration } from '../../../tools/demo/sound/mp3-duration.ts';
import { catalogue, getTitleFilePath, listItems } from '../support/demo-files.ts';

const listItemsOfMedium = (medium: string): [string, Title, Item][] =>
  catalogue.titles
    .filter((title) => title.medium === medium)
    .flatMap((title) => listItems(title).map((item): [string, Title, Item] => [`${title.slug}/${item.file}`, title, item]));

const runFfprobe = (path: string) =>
  spawnSync('ffprobe', ['-v', 'error', '-show_entries', 'format=duration:stream=codec_name,profile', '-of', 'json', path], {
    encoding: 'utf8',
  });
const canProbe = spawnSync('ffprobe', ['-version']).status === 0;
if (!canProbe) console.log('ffprobe is not installed: durations are checked by frame count, codecs are not checked');

interface ProbeResult {
  format: { duration: string };
  streams: { codec_name: string; profile?: string }[];
}

describe('audiobooks', () => {
  it('every audiobook has a narrator and at least three tracks, which add up to its duration', () => {
    for (const title of catalogue.titles.filter(({ medium }) => medium === 'audio')) {
      expect(title.items.length).toBeGreaterThanOrEqual(3);
      const sum = title.items.reduce((seconds, item) => seconds + (item.durationSeconds ?? 0), 0);
      expect(Math.abs(sum - (title.durationSeconds ?? 0))).toBeLessThan(1);
      expect(title.narrators.length).toBeGreaterThan(0);
    }
  });

  it.each(listItemsOfMedium('audio'))('%s has the duration that the catalogue states', (_name, title, item) => {
    const path = getTitleFilePath(title, item.file);
    const countedSeconds = computeMp3Duration(readFileSync(path));
    expect(countedSeconds).toBeGreaterThan(20);
    expect(Math.abs(countedSeconds - (item.durationSeconds ?? 0))).toBeLessThan(1);
    if (!canProbe) return;
    const probeResult = JSON.parse(runFfprobe(path).stdout) as ProbeResult;
    expect(Math.abs(Number(probeResult.format.duration) - (item.durationSeconds ?? 0))).toBeLessThan(1);
  });
});

const parseSeconds = (stamp: string): number => stamp.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);

/** Reads the duration from an MP4's movie header, in seconds. */
function readMp4Seconds(mp4: Buffer): number {
  const header = mp4.indexOf('mvhd') + 4;
  return mp4.readUInt32BE(header + 16) / mp4.readUInt32BE(header + 12);
}

describe('films', () => {
  it.each(listItemsOfMedium('video'))('%s can be streamed, and has the stated duration', (_name, title, item) => {
    const path = getTitleFilePath(title, item.file);
    const mp4 = readFileSync(path);
    expect(mp4.indexOf('moov')).toBeLessThan(mp4.indexOf('mdat'));
    expect(Math.abs(readMp4Seconds(mp4) - (item.durationSeconds ?? 0))).toBeLessThan(1);
    if (!canProbe) return;
    const probeResult = JSON.parse(runFfprobe(path).stdout) as ProbeResult;
    expect(probeResult.streams.map((stream) => stream.codec_name)).toEqual(['h264', 'aac']);
    expect(probeResult.streams[0]?.profile).toMatch(/Baseline/);
  });

  it.each(listItemsOfMedium('video'))('%s has captions in all shop languages, within its duration', (_name, title, item) => {
    expect(item.captions?.map(({ language }) => language)).toEqual(['en', 'zh', 'es', 'fr', 'it']);
    for (const { file } of item.captions ?? []) {
      const vtt = readFileSync(getTitleFilePath(title, file), 'utf8');
      expect(vtt.startsWith('WEBVTT\n\n')).toBe(true);
      const times = [...vtt.matchAll(/^(\S+) --> (\S+)$/gm)].flatMap((cue) => [
        parseSeconds(cue[1] ?? ''),
        parseSeconds(cue[2] ?? ''),
      ]);
      expect(times.length).toBeGreaterThanOrEqual(4);
      expect([...times].sort((a, b) => a - b)).toEqual(times);
      expect(times.at(-1)).toBeLessThanOrEqual(item.durationSeconds ?? 0);
    }
  });
});

interface Story {
  start: string;
  nodes: Record<string, { choices: { to: string }[] }>;
}

describe('the playable story', () => {
  const [title] = catalogue.titles.filter(({ medium }) => medium === 'interactive');
  const readText = (file: string) => readFileSync(getTitleFilePath(title as Title, file), 'utf8');
  const readStory = (folder: string) =>
    JSON.parse(readText(`${folder}/story.js`).replace(/^window\.story = |;\s*$/g, '')) as Story;

  it('every passage of the story can be reached, and every choice leads to a passage', () => {
    const { start, nodes } = readStory('play');
    const reachedIds = new Set([start]);
    for (const id of reachedIds) for (const { to } of nodes[id]?.choices ?? []) reachedIds.add(to);
    expect([...reachedIds].sort()).toEqual(Object.keys(nodes).sort());
    expect(Object.values(nodes).filter(({ choices }) => choices.length === 0).length).toBeGreaterThan(1);
  });

  it('the sample consists of three passages of the story', () => {
    const [fullStory, sample] = [readStory('play'), readStory('sample')];
    expect(Object.keys(sample.nodes)).toHaveLength(3);
    for (const [id, node] of Object.entries(sample.nodes)) expect(node).toEqual(fullStory.nodes[id]);
  });

  it('the story loads nothing from another server', () => {
    for (const file of ['index.html', 'player.js', 'player.css']) {
      const text = readText(`play/${file}`).replaceAll('http://www.w3.org/2000/svg', '');
      expect(text).not.toMatch(/https?:|@import|fetch\(/);
    }
  });
});
