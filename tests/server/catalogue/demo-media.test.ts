import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Item, Title } from '../../../tools/demo/catalogue.ts';
import { computeMp3Duration } from '../../../tools/demo/sound/mp3-duration.ts';
import { catalogue, titleFile, allItems } from '../support/demo-files.ts';

const itemsOfMedium = (medium: string): [string, Title, Item][] =>
  catalogue.titles
    .filter((title) => title.medium === medium)
    .flatMap((title) => allItems(title).map((item): [string, Title, Item] => [`${title.slug}/${item.file}`, title, item]));

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
  it('have several tracks each, of real length', () => {
    for (const title of catalogue.titles.filter(({ medium }) => medium === 'audio')) {
      expect(title.items.length).toBeGreaterThanOrEqual(3);
      const sum = title.items.reduce((seconds, item) => seconds + (item.durationSeconds ?? 0), 0);
      expect(Math.abs(sum - (title.durationSeconds ?? 0))).toBeLessThan(1);
      expect(title.narrators.length).toBeGreaterThan(0);
    }
  });

  it.each(itemsOfMedium('audio'))('%s has the duration that the catalogue states', (_name, title, item) => {
    const path = titleFile(title, item.file);
    const counted = computeMp3Duration(readFileSync(path));
    expect(counted).toBeGreaterThan(20);
    expect(Math.abs(counted - (item.durationSeconds ?? 0))).toBeLessThan(1);
    if (!canProbe) return;
    const probed = JSON.parse(runFfprobe(path).stdout) as ProbeResult;
    expect(Math.abs(Number(probed.format.duration) - (item.durationSeconds ?? 0))).toBeLessThan(1);
  });
});

const parseSeconds = (stamp: string): number => stamp.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);

/** The duration in an MP4's movie header, in seconds. */
function readMp4Seconds(mp4: Buffer): number {
  const header = mp4.indexOf('mvhd') + 4;
  return mp4.readUInt32BE(header + 16) / mp4.readUInt32BE(header + 12);
}

describe('films', () => {
  it.each(itemsOfMedium('video'))('%s can be streamed, and has the stated duration', (_name, title, item) => {
    const path = titleFile(title, item.file);
    const mp4 = readFileSync(path);
    expect(mp4.indexOf('moov')).toBeLessThan(mp4.indexOf('mdat'));
    expect(Math.abs(readMp4Seconds(mp4) - (item.durationSeconds ?? 0))).toBeLessThan(1);
    if (!canProbe) return;
    const probed = JSON.parse(runFfprobe(path).stdout) as ProbeResult;
    expect(probed.streams.map((stream) => stream.codec_name)).toEqual(['h264', 'aac']);
    expect(probed.streams[0]?.profile).toMatch(/Baseline/);
  });

  it.each(itemsOfMedium('video'))('%s has captions in every language of the shop, within its duration', (_name, title, item) => {
    expect(item.captions?.map(({ language }) => language)).toEqual(['en', 'zh', 'es', 'fr', 'it']);
    for (const { file } of item.captions ?? []) {
      const vtt = readFileSync(titleFile(title, file), 'utf8');
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
  const read = (file: string) => readFileSync(titleFile(title as Title, file), 'utf8');
  const story = (folder: string) => JSON.parse(read(`${folder}/story.js`).replace(/^window\.story = |;\s*$/g, '')) as Story;

  it('has only reachable passages, and every choice leads to a passage', () => {
    const { start, nodes } = story('play');
    const reached = new Set([start]);
    for (const id of reached) for (const { to } of nodes[id]?.choices ?? []) reached.add(to);
    expect([...reached].sort()).toEqual(Object.keys(nodes).sort());
    expect(Object.values(nodes).filter(({ choices }) => choices.length === 0).length).toBeGreaterThan(1);
  });

  it('starts with its sample', () => {
    const [whole, sample] = [story('play'), story('sample')];
    expect(Object.keys(sample.nodes)).toHaveLength(3);
    for (const [id, node] of Object.entries(sample.nodes)) expect(node).toEqual(whole.nodes[id]);
  });

  it('needs no other server', () => {
    for (const file of ['index.html', 'player.js', 'player.css']) {
      const text = read(`play/${file}`).replaceAll('http://www.w3.org/2000/svg', '');
      expect(text).not.toMatch(/https?:|@import|fetch\(/);
    }
  });
});
