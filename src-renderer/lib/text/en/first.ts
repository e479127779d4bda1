import { count } from '../count'

export const first = {
  title: 'Welcome to Nomos',
  body: 'Operate Proxmox VE from a conversation. You approve, it carries out, and you see each result.',
  lab: 'Explore the lab',
  labBody: 'A simulated cluster of two nodes and a scripted model. Nothing to set up, nothing to break.',
  labStarting: 'Starting the lab',
  node: 'Add my first node',
  nodeBody: 'Address, user and key of a Proxmox VE node. The connection is tested step by step.',
  model: 'Connect a model',
  modelBody: 'OpenRouter, OpenAI, Anthropic, or one on your own machine.',
  nodeBegun: (name: string) => `Go on with ${name}, where you left it.`,
  nodeDone: (n: number) => count(n, 'node added', 'nodes added'),
  modelDone: (name: string) => `${name} is set up`
}
