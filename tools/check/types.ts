import { join } from 'node:path';
import { bin, run } from '../process/run.ts';
import { noComplaints, type Outcome } from './step.ts';

// `machines` stands apart: its compile knows neither DOM nor Node, so a browser global in a machine is a type error.
const projects = [
  'tsconfig.json',
  'machines/tsconfig.json',
  'server/tsconfig.json',
  'tools/tsconfig.json',
  'tests/tsconfig.json',
];

async function complaintsOf(root: string, project: string): Promise<string[]> {
  // What was found is kept, so that the next compile looks at what has changed since.
  const kept = join(root, '.cache/types', `${project.replaceAll('/', '-')}.tsbuildinfo`);
  const { code, output } = await run(bin(root, 'tsc'), ['-p', project, '--incremental', '--tsBuildInfoFile', kept], {
    cwd: root,
  });
  return code === 0 ? [] : [`${project}\n${output.trim()}`];
}

export async function checkTypes(root: string): Promise<Outcome> {
  const complaints: string[] = [];
  for (const project of projects) complaints.push(...(await complaintsOf(root, project)));
  return noComplaints(complaints, `${projects.length} projects compile`);
}
