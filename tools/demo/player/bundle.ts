import { readFileSync } from 'node:fs';
import { drawScene } from '../art/scene.ts';
import { escapeText } from '../text.ts';
import { readJson, type Work } from '../source/work.ts';

export interface Story extends Work {
  start: string;
  nodes: Record<string, { text: string; choices: { label: string; to: string }[] }>;
}

export const readStory = (): Story => readJson<Story>('interactive.json');

const readAsset = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

/** The first `count` passages that a reader can reach, breadth first. */
function selectOpening(story: Story, count: number): Story['nodes'] {
  const reachedIds = [story.start];
  for (const id of reachedIds) {
    for (const { to } of story.nodes[id]?.choices ?? []) if (!reachedIds.includes(to)) reachedIds.push(to);
  }
  return Object.fromEntries(reachedIds.slice(0, count).flatMap((id) => (story.nodes[id] ? [[id, story.nodes[id]]] : [])));
}

/**
 * The files of a playable page that needs no other server; with `count`, only the first passages of
 * the story.
 */
export function createStoryBundle(story: Story, count?: number): Record<string, string> {
  const [ground, ink, accent] = story.palette;
  const figures = [
    { name: 'moon', x: 0.8, y: 0.34, size: 0.5 },
    { name: 'boat', x: 0.42, y: 0.56, size: 0.8 },
  ];
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 320" preserveAspectRatio="xMidYMid slice">${drawScene({ width: 900, height: 320, background: ground, palette: story.palette, setting: 'sea', figures, seed: story.slug, time: 1 })}</svg>`;
  const data = {
    start: story.start,
    nodes: count ? selectOpening(story, count) : story.nodes,
    ending: 'The story ends here. Press “Start again” to steer it elsewhere.',
    sampleEnd: 'The sample ends here. The rest of the crossing is in the full story.',
  };
  const values: Record<string, string> = {
    language: story.language,
    title: escapeText(story.title),
    authors: escapeText(story.authors.join(', ')),
    picture,
  };
  return {
    'index.html': readAsset('page.html').replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? ''),
    'player.css': `:root { --ground: ${ground}; --ink: ${ink}; --accent: ${accent}; }\n${readAsset('player.css')}`,
    'player.js': readAsset('player.js'),
    'story.js': `window.story = ${JSON.stringify(data, null, 1)};\n`,
  };
}
