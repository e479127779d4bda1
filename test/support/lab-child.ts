import { startLab } from '../../src-main/lab/lab'

// A lab in a process of its own, so that it can be killed: LAB says where; its configuration is printed as one line.
const options = JSON.parse(process.env['LAB'] ?? '{}') as { folder: string; pace: number }
const lab = await startLab(options)
process.stdout.write(`${JSON.stringify(lab.config)}\n`)
