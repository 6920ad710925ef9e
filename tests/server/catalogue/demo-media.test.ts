import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Item, Title } from '../../../tools/demo/catalogue.ts';
import { mp3Duration } from '../../../tools/demo/sound/mp3-duration.ts';
import { catalogue, fileOf, partsOf } from '../support/demo-files.ts';

const parts = (medium: string): [string, Title, Item][] =>
  catalogue.titles
    .filter((title) => title.medium === medium)
    .flatMap((title) => partsOf(title).map((item): [string, Title, Item] => [`${title.slug}/${item.file}`, title, item]));

const probe = (path: string) =>
  spawnSync('ffprobe', ['-v', 'error', '-show_entries', 'format=duration:stream=codec_name,profile', '-of', 'json', path], {
    encoding: 'utf8',
  });
const canProbe = spawnSync('ffprobe', ['-version']).status === 0;
if (!canProbe) console.log('ffprobe is not on this machine: durations are checked by frame count, codecs are not checked');

interface Probed {
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

  it.each(parts('audio'))('%s plays as long as the catalogue says', (_name, title, item) => {
    const path = fileOf(title, item.file);
    const counted = mp3Duration(readFileSync(path));
    expect(counted).toBeGreaterThan(20);
    expect(Math.abs(counted - (item.durationSeconds ?? 0))).toBeLessThan(1);
    if (!canProbe) return;
    const probed = JSON.parse(probe(path).stdout) as Probed;
    expect(Math.abs(Number(probed.format.duration) - (item.durationSeconds ?? 0))).toBeLessThan(1);
  });
});

const seconds = (stamp: string): number => stamp.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);

/** The duration that an MP4's movie header states, in seconds. */
function movieSeconds(mp4: Buffer): number {
  const header = mp4.indexOf('mvhd') + 4;
  return mp4.readUInt32BE(header + 16) / mp4.readUInt32BE(header + 12);
}

describe('films', () => {
  it.each(parts('video'))('%s streams from its start, as long as stated', (_name, title, item) => {
    const path = fileOf(title, item.file);
    const mp4 = readFileSync(path);
    expect(mp4.indexOf('moov')).toBeLessThan(mp4.indexOf('mdat'));
    expect(Math.abs(movieSeconds(mp4) - (item.durationSeconds ?? 0))).toBeLessThan(1);
    if (!canProbe) return;
    const probed = JSON.parse(probe(path).stdout) as Probed;
    expect(probed.streams.map((stream) => stream.codec_name)).toEqual(['h264', 'aac']);
    expect(probed.streams[0]?.profile).toMatch(/Baseline/);
  });

  it.each(parts('video'))('%s has captions in every language of the shop, in order, inside the film', (_name, title, item) => {
    expect(item.captions?.map(({ language }) => language)).toEqual(['en', 'zh', 'es', 'fr', 'it']);
    for (const { file } of item.captions ?? []) {
      const vtt = readFileSync(fileOf(title, file), 'utf8');
      expect(vtt.startsWith('WEBVTT\n\n')).toBe(true);
      const times = [...vtt.matchAll(/^(\S+) --> (\S+)$/gm)].flatMap((cue) => [seconds(cue[1] ?? ''), seconds(cue[2] ?? '')]);
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

describe('the played story', () => {
  const [title] = catalogue.titles.filter(({ medium }) => medium === 'interactive');
  const read = (file: string) => readFileSync(fileOf(title as Title, file), 'utf8');
  const story = (folder: string) => JSON.parse(read(`${folder}/story.js`).replace(/^window\.story = |;\s*$/g, '')) as Story;

  it('leads to every passage, and every choice leads to one', () => {
    const { start, nodes } = story('play');
    const reached = new Set([start]);
    for (const id of reached) for (const { to } of nodes[id]?.choices ?? []) reached.add(to);
    expect([...reached].sort()).toEqual(Object.keys(nodes).sort());
    expect(Object.values(nodes).filter(({ choices }) => choices.length === 0).length).toBeGreaterThan(1);
  });

  it('opens with its sample', () => {
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
